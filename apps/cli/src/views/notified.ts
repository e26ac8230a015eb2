import type { NotificationAssignment } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { gather } from "../gather.ts";

/** `Ops on failure, as set on group "Backups"`; null if no channel is notified of the task's runs. */
export async function notifiedText(client: AnyClient, taskId: string): Promise<string | null> {
  const { source, assignments } = await client.notificationAssignments.effective(taskId);
  if (source === null || assignments.length === 0) return null;
  const channels = new Map((await gather(client.notificationChannels.list())).map((channel) => [channel.id, channel]));
  const texts = assignments.map((assignment) => {
    const channel = channels.get(assignment.channel_id);
    const state = channel?.enabled === false ? " (disabled)" : "";
    return `${channel?.name ?? assignment.channel_id} on ${outcomesOf(assignment)}${state}`;
  });
  const inherited = source.scope === "group" ? `, as set on group ${JSON.stringify(source.name)}` : "";
  return `${texts.join("; ")}${inherited}`;
}

type Outcomes = Pick<NotificationAssignment, "on_success" | "on_failure">;

export function outcomesOf({ on_success: success, on_failure: failure }: Outcomes): string {
  if (success && failure) return "success, failure";
  return success ? "success" : "failure";
}

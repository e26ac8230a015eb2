import type { NotificationAssignment } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { gather } from "../../gather.ts";
import type { Output } from "../../output/output.ts";
import type { Column } from "../../output/table.ts";
import { outcomesOf } from "../../views/notified.ts";

/** One line for each assigned channel. */
export async function assignmentTable(
  client: AnyClient,
  assignments: readonly NotificationAssignment[],
  out: Output,
): Promise<string> {
  const channels = new Map((await gather(client.notificationChannels.list())).map((channel) => [channel.id, channel]));
  const columns: readonly Column<NotificationAssignment>[] = [
    { title: "CHANNEL", text: ({ channel_id: id }) => channels.get(id)?.name ?? id, isFlexible: true },
    { title: "ON", text: outcomesOf },
    { title: "STATE", text: ({ channel_id: id }) => (channels.get(id)?.enabled === false ? "disabled" : "enabled") },
  ];
  return out.table(columns, assignments);
}

import type { NotificationAssignment } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { defineCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { findChannel } from "../../find/channel.ts";
import { texts } from "../../options.ts";
import { findScope, scopeOptions } from "./scope.ts";

export const command = defineCommand({
  arguments: [{ name: "task", summary: "task name, group/name or id", isOptional: true }],
  options: {
    ...scopeOptions,
    onFailure: texts("--on-failure <channel>", "notify this channel of failures"),
    onSuccess: texts("--on-success <channel>", "notify this channel of successes"),
    onAny: texts("--on-any <channel>", "notify this channel of successes and failures"),
  },
  details:
    "Replaces all channels that are assigned to the task or group. A task with its own channels does not inherit any.",
  examples: [
    ["belfry notify set --group Backups --on-failure Ops", "notify Ops of every failure in a group"],
    ['belfry notify set "Nightly backup" --on-any Ops --on-failure Chat', "override the group's channels for one task"],
  ],
  run: async ({ connect, args: [task], options, out }) => {
    const { onFailure = [], onSuccess = [], onAny = [] } = options;
    if (onFailure.length + onSuccess.length + onAny.length === 0) {
      throw usage(
        "missing channel. Use --on-failure, --on-success or --on-any",
        "To remove the assigned channels, use: belfry notify clear",
      );
    }
    const client = await connect();
    const scope = await findScope(client, task, options.group);
    const assignments = new Map<string, NotificationAssignment>();
    await assign(client, assignments, { channels: [...onSuccess, ...onAny], outcome: "on_success" });
    await assign(client, assignments, { channels: [...onFailure, ...onAny], outcome: "on_failure" });
    const own = await scope.replace([...assignments.values()]);
    const count = own.assignments.length;
    out.answer(own, () => `${count} ${count === 1 ? "channel is" : "channels are"} now notified for ${scope.label}`);
  },
});

/** A channel that is given for both outcomes is one assignment. */
async function assign(
  client: AnyClient,
  assignments: Map<string, NotificationAssignment>,
  added: { readonly channels: readonly string[]; readonly outcome: "on_success" | "on_failure" },
): Promise<void> {
  for (const typed of added.channels) {
    const { id } = await findChannel(client, typed);
    const former = assignments.get(id) ?? { channel_id: id, on_success: false, on_failure: false };
    assignments.set(id, { ...former, [added.outcome]: true });
  }
}

import type { Client, NotificationAssignment } from "@belfry/client";
import { defineCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { findChannel } from "../../find/channel.ts";
import { texts } from "../../options.ts";
import { findScope, scopeOptions } from "./scope.ts";

export const command = defineCommand({
  arguments: [{ name: "task", summary: "its name, group/name or id", isOptional: true }],
  options: {
    ...scopeOptions,
    onFailure: texts("--on-failure <channel>", "tell this channel of failures"),
    onSuccess: texts("--on-success <channel>", "tell this channel of successes"),
    onAny: texts("--on-any <channel>", "tell this channel of both"),
  },
  details: "Replaces all of its own assignments at once. A task with assignments of its own inherits none.",
  examples: [
    ["belfry notify set --group Backups --on-failure Ops", "every failure below a group"],
    ['belfry notify set "Nightly backup" --on-any Ops --on-failure Chat', "a task of its own"],
  ],
  run: async ({ connect, args: [task], options, out }) => {
    const { onFailure = [], onSuccess = [], onAny = [] } = options;
    if (onFailure.length + onSuccess.length + onAny.length === 0) {
      throw usage("who shall be told? Name at least one channel", "To tell nobody: belfry notify clear");
    }
    const client = await connect();
    const scope = await findScope(client, task, options.group);
    const wishes = new Map<string, NotificationAssignment>();
    await wish(client, wishes, { channels: [...onSuccess, ...onAny], outcome: "on_success" });
    await wish(client, wishes, { channels: [...onFailure, ...onAny], outcome: "on_failure" });
    const own = await scope.replace([...wishes.values()]);
    const count = own.assignments.length;
    out.answer(own, () => `${scope.words.replace("the", "The")} now tells ${count} channel${count === 1 ? "" : "s"}`);
  },
});

/** A channel that is named for both outcomes is one assignment. */
async function wish(
  client: Client,
  wishes: Map<string, NotificationAssignment>,
  of: { readonly channels: readonly string[]; readonly outcome: "on_success" | "on_failure" },
): Promise<void> {
  for (const typed of of.channels) {
    const { id } = await findChannel(client, typed);
    const former = wishes.get(id) ?? { channel_id: id, on_success: false, on_failure: false };
    wishes.set(id, { ...former, [of.outcome]: true });
  }
}

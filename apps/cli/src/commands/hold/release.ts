import type { Hold } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure, usage } from "../../failure.ts";
import { findGroup } from "../../find/group.ts";
import { flag, text } from "../../options.ts";
import { arrivals } from "../../views/hold.ts";

export const command = defineCommand({
  options: {
    group: text("--group <group>", "release the hold on this group (default: the hold on all tasks)"),
    confirm: flag("--confirm", "confirm that the original of restored or moved data no longer runs"),
  },
  details: "The runs that waited now start. Times that schedules skipped do not run later.",
  examples: [
    ["belfry release", "release the hold on all tasks"],
    ["belfry release --group Backups", "release the hold on a group"],
    ["belfry release --confirm", "start tasks after a restore, when the original no longer runs"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const group = options.group === undefined ? null : await findGroup(client, options.group);
    const group_id = group?.id ?? null;
    const cause = await findCause(client, group_id);
    if (cause !== "requested" && options.confirm !== true)
      throw usage(
        `missing --confirm: ${arrivals[cause]}, and its original may still run`,
        "When the original no longer runs, start tasks with: belfry release --confirm",
      );
    const hold = await client.holds.release({ group_id, cause });
    const held = hold.group_name === null ? "all tasks" : `group ${JSON.stringify(hold.group_name)}`;
    out.answer(hold, () => `Released ${held}`);
    const { holds } = await client.holds.list();
    if (holds.length > 0) out.note("Other holds remain. List them with: belfry holds");
  },
});

/** Returns the cause of the hold to release. If only others are held, the daemon refuses the release. */
async function findCause(client: Pick<AnyClient, "holds">, groupId: string | null): Promise<Hold["cause"]> {
  const { holds } = await client.holds.list();
  if (holds.length === 0)
    throw new Failure(exitCodes.failed, "nothing is held: there is no hold to release", { code: "conflict" });
  return holds.find(({ group_id }) => group_id === groupId)?.cause ?? "requested";
}

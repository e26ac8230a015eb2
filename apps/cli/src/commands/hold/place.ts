import { defineCommand } from "../../command.ts";
import { findGroup } from "../../find/group.ts";
import { listHolds } from "../../find/hold.ts";
import { readTime } from "../../input/time.ts";
import { text } from "../../options.ts";
import { asWritten } from "../../output/hints.ts";
import { holdSentence, releaseHint } from "../../views/hold.ts";

export const command = defineCommand({
  options: {
    group: text("--group <group>", "hold only the tasks of this group and its subgroups (default: all tasks)"),
    until: text("--until <time>", "release automatically at this time (default: hold until `belfry release`)"),
    reason: text(
      "--reason <text>",
      "reason that `belfry holds`, `belfry why` and `belfry doctor` show (default: none)",
    ),
  },
  details:
    "Active runs continue. Schedules skip their times; queued runs, retries, chains and watchers wait. A second hold changes the first.",
  examples: [
    ['belfry hold --until 2h --reason "Database upgrade"', "start no task for two hours"],
    ["belfry hold --group Backups", "start no task of the group until it is released"],
  ],
  run: async ({ connect, options, host, out }) => {
    const until =
      options.until === undefined
        ? null
        : readTime(options.until, {
            nowMs: host.now(),
            direction: "future",
            option: "--until",
            note: (remark) => out.note(remark),
          });
    const client = await connect();
    const group = options.group === undefined ? null : await findGroup(client, options.group);
    const former = (await listHolds(client)).find(({ group_id }) => group_id === (group?.id ?? null));
    const hold = await client.holds.place({
      group_id: group?.id ?? null,
      until,
      reason: options.reason ?? null,
    });
    out.answer(hold, () => holdSentence(hold));
    if (former !== undefined && (former.until !== hold.until || former.reason !== hold.reason))
      out.note(asWritten(`This replaces the earlier hold: ${holdSentence(former)}`));
    if (hold.until === null) out.note(releaseHint(hold));
  },
});

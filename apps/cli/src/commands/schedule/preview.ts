import type { Preview } from "@belfry/client";
import { limits } from "@belfry/contract";
import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { defined } from "../../defined.ts";
import { readTiming } from "../../definitions/timing.ts";
import { scheduleOptions, timingOptions } from "../../definitions/timing-options.ts";
import { usage } from "../../failure.ts";
import { findSchedule } from "../../find/schedule.ts";
import { readTime } from "../../input/time.ts";
import { integer, text } from "../../options.ts";
import type { Column } from "../../output/table.ts";
import { formatRelative } from "../../output/time.ts";

type Occurrence = Preview["occurrences"][number];

const notes = {
  gap: "moved out of the hour that the clock skips",
  overlap_first: "the first of two, the clock goes back",
  overlap_second: "the second of two, the clock goes back",
} as const;

export const command = defineCommand({
  arguments: [{ ...argument.schedule, isOptional: true }],
  options: {
    ...timingOptions,
    ...scheduleOptions,
    count: integer("-n, --count <n>", "how many (10)", { min: 1, max: limits.previewMax }),
    from: text("--from <time>", "after this time (now)"),
  },
  examples: [
    [
      'belfry schedule preview --cron "30 2 * * *" --tz America/New_York --from 2026-03-06',
      "before adding it; see how it meets the change of the clock",
    ],
    ['belfry schedule preview "Nightly backup" -n 30', "of a schedule that exists"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const nowMs = host.now();
    const draft = readTiming(options, nowMs);
    if ((typed === undefined) === (draft === null))
      throw usage("give either a schedule, or one of --cron, --every, --at, --boot");
    const client = await connect();
    const subject = typed === undefined ? { draft: draft! } : { schedule_id: (await findSchedule(client, typed)).id };
    const from =
      options.from === undefined ? undefined : readTime(options.from, { nowMs, direction: "future", option: "--from" });
    const preview = await client.schedules.preview({ ...subject, ...defined({ count: options.count, from }) });
    out.answer(preview, () =>
      preview.occurrences.length === 0 ? "It will not run" : out.table(columnsFor(preview, nowMs), preview.occurrences),
    );
  },
});

function columnsFor(preview: Preview, nowMs: number): readonly Column<Occurrence>[] {
  const columns: Column<Occurrence>[] = [
    {
      title: `IN ${preview.time_zone}`,
      text: ({ local }) => local.replace("T", " ").replace(/([+-]\d\d:\d\d)$/, " $1"),
    },
    { title: "HERE", text: ({ instant }) => instant, isTime: true },
    { title: "FROM NOW", text: ({ instant }) => formatRelative(instant, nowMs) },
  ];
  if (preview.occurrences.some(({ dst_note }) => dst_note !== null))
    columns.push({ title: "NOTE", text: ({ dst_note }) => (dst_note === null ? "" : notes[dst_note]) });
  return columns;
}

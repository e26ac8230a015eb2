import type { Preview, Schedule } from "@belfry/client";
import { limits } from "@belfry/contract";
import type { AnyClient } from "../../any-client.ts";
import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { readTiming } from "../../definitions/timing.ts";
import { scheduleOptions, timingOptions } from "../../definitions/timing-options.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure, usage } from "../../failure.ts";
import { findSchedule } from "../../find/schedule.ts";
import { readTime } from "../../input/time.ts";
import { integer, text } from "../../options.ts";
import { quoteName } from "../../output/hints.ts";
import type { Column } from "../../output/table.ts";
import { formatRelative } from "../../output/time.ts";
import { noteOfGap, noteOfTime } from "../../views/clock-changes.ts";

/** A line of the preview: a scheduled time, or a local time that the clocks skip and that does not run. */
interface Line {
  readonly local: string;
  readonly instant: string | null;
  readonly due: string | null;
  readonly note: string;
}

export const command = defineCommand({
  arguments: [{ ...argument.schedule, isOptional: true }],
  options: {
    ...timingOptions,
    ...scheduleOptions,
    count: integer("-n, --count <n>", "maximum number of scheduled times to show (default 10)", {
      min: 1,
      max: limits.previewMax,
    }),
    from: text("--from <time>", "start of the preview (default now); a local time is in the zone of --tz"),
  },
  details:
    "Local times of --from, --starts-at and --ends-at are in the zone of --tz or of the existing schedule. If neither names a zone, they are in that of this machine.",
  examples: [
    [
      'belfry schedule preview --cron "30 2 * * *" --tz America/New_York --from 2026-03-06',
      "preview a new schedule across a clock change",
    ],
    ['belfry schedule preview "Nightly backup" -n 30', "preview an existing schedule"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const nowMs = host.now();
    const moment = { nowMs, note: (remark: string) => out.note(remark) };
    const draft = readTiming(options, moment);
    if ((typed === undefined) === (draft === null))
      throw usage("give either an existing schedule, or one of --cron, --every, --at and --boot");
    const client = await connect();
    const schedule = typed === undefined ? null : await findTyped(client, typed);
    const subject = schedule === null ? { draft: draft! } : { schedule_id: schedule.id };
    const zone = schedule === null ? options.tz : schedule.time_zone;
    const from =
      options.from === undefined
        ? undefined
        : readTime(options.from, { ...moment, direction: "future", option: "--from", zone });
    const preview = await client.schedules.preview({ ...subject, ...withoutUndefined({ count: options.count, from }) });
    out.answer(preview, () => {
      if (preview.kind === "boot") return "The schedule runs once after each boot";
      const lines = linesOf(preview);
      return lines.length === 0
        ? "The schedule has no upcoming times"
        : out.table(columnsFor(preview.time_zone, lines, nowMs), lines);
    });
  },
});

/** `belfry schedule preview "0 3 * * *"` looks right, but the argument is a schedule that exists. */
async function findTyped(client: AnyClient, typed: string): Promise<Schedule> {
  try {
    return await findSchedule(client, typed);
  } catch (error) {
    const isExpression = /^@[a-z]+$/.test(typed) || /^\S+(?:\s+\S+){4,5}$/.test(typed.trim());
    if (!(error instanceof Failure) || error.exitCode !== exitCodes.notFound || !isExpression) throw error;
    const hint = `To preview an expression, use: belfry schedule preview --cron ${quoteName(typed)}`;
    throw new Failure(error.exitCode, error.message, { hint });
  }
}

function linesOf({ occurrences, dst_gaps: gaps }: Preview): readonly Line[] {
  const skipped = gaps.filter(({ runs_at }) => runs_at === null);
  const lines = [
    ...skipped.map((gap) => ({
      at: gap.at,
      line: { local: withSpace(gap.local_times[0] ?? ""), instant: null, due: null, note: noteOfGap(gap) },
    })),
    ...occurrences.map((occurrence) => {
      const { instant, due_at: due } = occurrence;
      const gap = gaps.find(({ runs_at }) => runs_at === instant);
      const local = withSpace(occurrence.local).replace(/([+-]\d\d:\d\d(?::\d\d)?)$/, " $1");
      return { at: instant, line: { local, instant, due, note: noteOfTime(occurrence, gap) } };
    }),
  ];
  // a skipped time precedes the run at the end of its gap
  return lines.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)).map(({ line }) => line);
}

function withSpace(local: string): string {
  return local.replace("T", " ");
}

function columnsFor(zone: string, lines: readonly Line[], nowMs: number): readonly Column<Line>[] {
  const columns: Column<Line>[] = [
    { title: `IN ${zone}`, text: ({ local }) => local },
    { title: "ON THIS MACHINE", text: ({ instant }) => instant, isTime: true },
  ];
  if (lines.some(({ instant, due }) => due !== instant))
    columns.push({ title: "WITH JITTER", text: ({ due }) => due, isTime: true });
  columns.push({
    title: "FROM NOW",
    text: ({ instant }) => (instant === null ? null : formatRelative(instant, nowMs)),
  });
  if (lines.some(({ note }) => note !== "")) columns.push({ title: "NOTE", text: ({ note }) => note });
  return columns;
}

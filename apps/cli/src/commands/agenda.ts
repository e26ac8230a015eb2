import type { Agenda } from "@belfry/client";
import { agendaTimesMax, limits } from "@belfry/contract";
import { defineCommand } from "../command.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { type NameOf, taskRef, disambiguateTasks } from "../find/task-names.ts";
import { findGroup } from "../find/group.ts";
import { listHolds } from "../find/hold.ts";
import { readSkipped, type SkippedText } from "../find/held-tasks.ts";
import { findTask } from "../find/task.ts";
import { readTime } from "../input/time.ts";
import { flag, integer, text } from "../options.ts";
import { asWritten } from "../output/hints.ts";
import type { Column } from "../output/table.ts";
import { formatLocal, formatRelative } from "../output/time.ts";
import { noteOfGap, noteOfTime } from "../views/clock-changes.ts";
import { holdHint } from "../views/hold.ts";
import { seriesText } from "../views/series.ts";
import { listUnplanned } from "../views/unplanned.ts";

export const command = defineCommand({
  options: {
    from: text("--from <time>", "start of the period (default now)"),
    until: text("--until <time>", "end of the period (default one day after --from)"),
    task: text("--task <task>", "only schedules of this task"),
    group: text("--group <group>", "only tasks directly in this group"),
    all: flag("-a, --all", "list every time, also of schedules that run often"),
    limit: integer("-n, --limit <n>", "maximum number of lines to show (default 100)", { min: 1, max: limits.listMax }),
  },
  details: `A schedule that runs more than ${agendaTimesMax} times in the period has one line, at its first time.`,
  examples: [
    ["belfry agenda", "list the runs of the next 24 hours"],
    ["belfry agenda --group Backups --until 7d", "list the runs of a group in the next week"],
    ['belfry agenda --from tomorrow --until "tomorrow 06:00"', "list the runs of the coming night"],
  ],
  run: async ({ connect, options, host, out }) => {
    const nowMs = host.now();
    const read = (time: string | undefined, option: string) =>
      time === undefined ? undefined : readTime(time, { nowMs, direction: "future", option });
    const client = await connect();
    const query = withoutUndefined({
      task_id: options.task === undefined ? undefined : (await findTask(client, options.task)).id,
      group_id: options.group === undefined ? undefined : (await findGroup(client, options.group)).id,
      collapse: options.all === true ? undefined : true,
      from: read(options.from, "--from"),
      until: read(options.until, "--until"),
      limit: options.limit,
    });
    const agenda = await client.schedules.agenda(query);
    const holds = out.json ? [] : await listHolds(client);
    const lines = linesOf(agenda, await readSkipped(client, holds));
    const nameOf = await disambiguateTasks(
      client,
      lines.map(({ source }) => taskRef(source)),
      out,
    );
    out.answer(agenda, () =>
      lines.length === 0
        ? `No runs are scheduled in this period, which ends at ${formatLocal(agenda.until)}`
        : out.table(columnsFor(lines, nameOf, nowMs), lines),
    );
    for (const hold of holds) out.note(holdHint(hold));
    for (const { task_name, schedule_name, reason } of listUnplanned(agenda))
      out.note(`${asWritten(`${task_name}/${schedule_name}`)}: ${reason}`);
    if (!agenda.complete)
      out.note(`List truncated at ${agenda.entries.length}. Raise --limit, or set an earlier --until`);
  },
});

/** A scheduled time, or local times that the clocks skip and that do not run. */
interface Line {
  readonly source: Agenda["entries"][number] | Agenda["dst_gaps"][number];
  readonly at: string | null;
  readonly due: string | null;
  readonly note: string;
}

function linesOf({ entries, dst_gaps: gaps }: Agenda, skippedOf: SkippedText): readonly Line[] {
  const runsAfter = new Map(gaps.map((gap) => [`${gap.schedule_id} ${gap.runs_at}`, gap]));
  const skipped = gaps.filter(({ runs_at }) => runs_at === null);
  const lines = [
    ...skipped.map((source) => {
      const [date] = source.local_times[0]?.split("T") ?? [];
      return { source, at: null, due: null, note: `${date} ${noteOfGap(source)} in ${source.time_zone}` };
    }),
    ...entries.map((source) => {
      const change = noteOfTime(source, runsAfter.get(`${source.schedule_id} ${source.at}`));
      const parts = [seriesText(source), change, skippedOf(source) ?? ""];
      const note = parts.filter((part) => part !== "").join("; ");
      return { source, at: source.at, due: source.due_at, note };
    }),
  ];
  return lines.toSorted((one, other) =>
    one.source.at < other.source.at ? -1 : one.source.at > other.source.at ? 1 : 0,
  );
}

function columnsFor(lines: readonly Line[], nameOf: NameOf, nowMs: number): readonly Column<Line>[] {
  const columns: Column<Line>[] = [{ title: "WHEN", text: ({ at }) => at, isTime: true }];
  if (lines.some(({ at, due }) => due !== at))
    columns.push({ title: "WITH JITTER", text: ({ due }) => due, isTime: true });
  columns.push(
    { title: "FROM NOW", text: ({ at }) => (at === null ? null : formatRelative(at, nowMs)) },
    { title: "TASK", text: ({ source }) => nameOf(taskRef(source)), isFlexible: true },
    { title: "SCHEDULE", text: ({ source }) => source.schedule_name, isFlexible: true },
  );
  if (lines.some(({ note }) => note !== "")) columns.push({ title: "NOTE", text: ({ note }) => note });
  return columns;
}

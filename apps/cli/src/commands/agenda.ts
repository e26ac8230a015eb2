import type { Agenda } from "@belfry/client";
import { limits } from "@belfry/contract";
import { defineCommand } from "../command.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { type NameOf, taskRef, disambiguateTasks } from "../find/task-names.ts";
import { readTime } from "../input/time.ts";
import { integer, text } from "../options.ts";
import type { Column } from "../output/table.ts";
import { formatLocal, formatRelative } from "../output/time.ts";
import { noteOfGap, noteOfTime } from "../views/clock-changes.ts";

export const command = defineCommand({
  options: {
    from: text("--from <time>", "from then (now)"),
    until: text("--until <time>", "until then (a day later)"),
    limit: integer("-n, --limit <n>", "how many (100)", { min: 1, max: limits.listMax }),
  },
  examples: [
    ["belfry agenda", "the next 24 hours"],
    ['belfry agenda --from tomorrow --until "tomorrow 06:00"', "the coming night"],
  ],
  run: async ({ connect, options, host, out }) => {
    const nowMs = host.now();
    const read = (time: string | undefined, option: string) =>
      time === undefined ? undefined : readTime(time, { nowMs, direction: "future", option });
    const query = withoutUndefined({
      from: read(options.from, "--from"),
      until: read(options.until, "--until"),
      limit: options.limit,
    });
    const client = await connect();
    const agenda = await client.schedules.agenda(query);
    const lines = linesOf(agenda);
    const nameOf = await disambiguateTasks(
      client,
      lines.map(({ of }) => taskRef(of)),
      out,
    );
    out.answer(agenda, () =>
      lines.length === 0
        ? `Nothing is due until ${formatLocal(agenda.until)}`
        : out.table(columnsFor(lines, nameOf, nowMs), lines),
    );
    if (!agenda.complete) out.note("There is more: --limit <n>, or a nearer --until");
  },
});

/** A scheduled time, or local times that the clocks skip and nothing runs in place of. */
interface Line {
  readonly of: Agenda["entries"][number] | Agenda["dst_gaps"][number];
  readonly at: string | null;
  readonly due: string | null;
  readonly note: string;
}

function linesOf({ entries, dst_gaps: gaps }: Agenda): readonly Line[] {
  const runsAfter = new Map(gaps.map((gap) => [`${gap.schedule_id} ${gap.runs_at}`, gap]));
  const skipped = gaps.filter(({ runs_at }) => runs_at === null);
  const lines = [
    ...skipped.map((of) => {
      const [date] = of.local_times[0]?.split("T") ?? [];
      return { of, at: null, due: null, note: `${date} ${noteOfGap(of)} in ${of.time_zone}` };
    }),
    ...entries.map((of) => {
      const note = noteOfTime(of, runsAfter.get(`${of.schedule_id} ${of.at}`));
      return { of, at: of.at, due: of.due_at, note };
    }),
  ];
  return lines.toSorted((one, other) => (one.of.at < other.of.at ? -1 : one.of.at > other.of.at ? 1 : 0));
}

function columnsFor(lines: readonly Line[], nameOf: NameOf, nowMs: number): readonly Column<Line>[] {
  const columns: Column<Line>[] = [{ title: "WHEN", text: ({ at }) => at, isTime: true }];
  if (lines.some(({ at, due }) => due !== at)) columns.push({ title: "DUE", text: ({ due }) => due, isTime: true });
  columns.push(
    { title: "FROM NOW", text: ({ at }) => (at === null ? null : formatRelative(at, nowMs)) },
    { title: "TASK", text: ({ of }) => nameOf(taskRef(of)), isFlexible: true },
    { title: "SCHEDULE", text: ({ of }) => of.schedule_name, isFlexible: true },
  );
  if (lines.some(({ note }) => note !== "")) columns.push({ title: "NOTE", text: ({ note }) => note });
  return columns;
}

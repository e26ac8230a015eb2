import type { Agenda } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { classNames } from "../../components/class-names.ts";
import { Section } from "../../components/page.tsx";
import { ShowNew } from "../../components/show-new.tsx";
import { Status } from "../../components/status.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { TaskLink } from "../../components/task-link.tsx";
import { count, formatClock, formatExactClock, formatTime } from "../../data/words.ts";
import { changeText, gapText, seriesText } from "./agenda-words.ts";
import { type Day, daysOf, type Entry, type Gap, type Happening, happeningsOf, idOf } from "./days.ts";

export interface DayListProps {
  readonly agenda: Agenda;
  /** Identifies the question that the agenda answers. */
  readonly question: string;
  readonly zone: string;
  /** Stands in place of the days where nothing runs. */
  readonly empty: ReactNode;
}

/** What runs on each day. What has begun keeps its place while somebody points at the list. */
export function DayList({ agenda, question, zone, empty }: DayListProps): ReactNode {
  const happenings = useMemo(() => happeningsOf(agenda, zone), [agenda, zone]);
  const steady = useSteadyRows(happenings, { idOf, question });
  const gaps = new Map(agenda.dst_gaps.map((gap) => [`${gap.schedule_id} ${gap.runs_at}`, gap]));
  const isGone = (one: Happening): boolean => steady.isGone?.(one) === true;
  return (
    <div {...steady.hold} className="min-w-0">
      <ShowNew of={steady} />
      <div className="flex flex-col gap-4">
        {steady.rows.every(({ is }) => is === "change") && empty}
        {daysOf(steady.rows, zone, isGone).map((day) => (
          <DaySection key={day.date} day={day} zone={zone} gaps={gaps} isGone={isGone} />
        ))}
      </div>
    </div>
  );
}

interface DayProps {
  readonly day: Day;
  readonly zone: string;
  readonly isGone: (one: Happening) => boolean;
  /** The gaps of clock changes, by the schedule and the time that runs instead. */
  readonly gaps: ReadonlyMap<string, Gap>;
}

function DaySection({ day, zone, gaps, isGone }: DayProps): ReactNode {
  return (
    <Section title={day.name} act={<span className="text-muted">{count(day.runs, "run")}</span>}>
      <ol className="flex flex-col">
        {day.happenings.map((one) => (
          <li
            key={idOf(one)}
            className={classNames(
              "grid min-h-8 grid-cols-[64px_minmax(0,1fr)] items-baseline gap-x-4 border-b py-1.5 md:grid-cols-[64px_minmax(0,3fr)_minmax(0,2fr)_minmax(0,4fr)]",
              isGone(one) && "relative **:text-muted!",
            )}
          >
            <HappeningCells one={one} zone={zone} gaps={gaps} />
            {isGone(one) && <span className="absolute top-1.5 right-0 bg-page px-2">Gone</span>}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function HappeningCells({ one, zone, gaps }: Pick<DayProps, "zone" | "gaps"> & { readonly one: Happening }): ReactNode {
  if (one.is === "change")
    return (
      <>
        <Clock at={one.at} zone={zone} />
        <p className="text-attention md:col-span-3">
          {one.change.text} in {zone}.
        </p>
      </>
    );
  if (one.is === "gap")
    return (
      <>
        <Clock at={one.at} zone={zone} />
        <TaskLink id={one.gap.task_id} name={one.gap.task_name} />
        <ScheduleLink of={one.gap} />
        <span className="col-start-2 md:col-start-auto">
          <Status kind="skipped">Skipped</Status> <span className="text-muted">{gapText(one.gap)}</span>
        </span>
      </>
    );
  const { entry } = one;
  const notes = [seriesText(entry, zone), changeText(entry, gaps.get(`${entry.schedule_id} ${entry.at}`))];
  return (
    <>
      <Clock at={one.at} zone={zone} />
      <TaskLink id={entry.task_id} name={entry.task_name} />
      <ScheduleLink of={entry} />
      <span className="col-start-2 text-muted md:col-start-auto">
        {[...notes, delayText(entry, zone)].filter((note) => note !== "").join("; ")}
      </span>
    </>
  );
}

function Clock({ at, zone }: { readonly at: number; readonly zone: string }): ReactNode {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatTime(at, zone)}>
      {at % 60_000 < 1_000 ? formatClock(at, zone) : formatExactClock(at, zone).slice(0, 8)}
    </time>
  );
}

function ScheduleLink({ of }: { readonly of: Pick<Entry, "task_id" | "schedule_name"> }): ReactNode {
  return (
    <Link
      to="/tasks/$taskId"
      params={{ taskId: of.task_id }}
      search={{ part: "schedules" }}
      className="col-start-2 truncate text-muted md:col-start-auto"
    >
      {of.schedule_name}
    </Link>
  );
}

function delayText({ at, due_at, count: times }: Entry, zone: string): string {
  if (due_at === at) return "";
  const due = formatExactClock(Date.parse(due_at), zone).slice(0, 8);
  return times === 1 ? `starts at ${due}` : `the first starts at ${due}`;
}

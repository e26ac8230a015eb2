import type { Agenda } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { Status } from "../../components/status.tsx";
import { TaskLink } from "../../components/task-link.tsx";
import { count, formatClock, formatExactClock, formatTime } from "../../data/words.ts";
import { changeText, gapText, seriesText } from "./agenda-words.ts";
import { type Day, daysOf, type Entry, type Gap, type Happening } from "./days.ts";

/** What runs on each day. */
export function DayList({ agenda, zone }: { readonly agenda: Agenda; readonly zone: string }): ReactNode {
  const gaps = new Map(agenda.dst_gaps.map((gap) => [`${gap.schedule_id} ${gap.runs_at}`, gap]));
  return daysOf(agenda, zone).map((day) => <DaySection key={day.date} day={day} zone={zone} gaps={gaps} />);
}

interface DayProps {
  readonly day: Day;
  readonly zone: string;
  /** The gaps of clock changes, by the schedule and the time that runs instead. */
  readonly gaps: ReadonlyMap<string, Gap>;
}

function DaySection({ day, zone, gaps }: DayProps): ReactNode {
  return (
    <Section title={day.name} act={<span className="text-muted">{count(day.runs, "run")}</span>}>
      <ol className="flex flex-col">
        {day.happenings.map((one, index) => (
          <li
            key={index}
            className="grid min-h-8 grid-cols-[64px_minmax(0,1fr)] items-baseline gap-x-4 border-b py-1.5 md:grid-cols-[64px_minmax(0,3fr)_minmax(0,2fr)_minmax(0,4fr)]"
          >
            <HappeningCells one={one} zone={zone} gaps={gaps} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

function HappeningCells({ one, zone, gaps }: Omit<DayProps, "day"> & { readonly one: Happening }): ReactNode {
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

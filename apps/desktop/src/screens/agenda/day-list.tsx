import type { Agenda } from "@belfry/client";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo } from "react";
import { classNames } from "../../components/class-names.ts";
import { ShowNew } from "../../components/show-new.tsx";
import { Status } from "../../components/status.tsx";
import { useSteadyRows } from "../../components/steady-rows.ts";
import { TaskLink } from "../../components/task-link.tsx";
import { useWindowRows, type WindowRow } from "../../components/window-rows.ts";
import { count, formatClock, formatExactClock, formatTime } from "../../data/words.ts";
import { changeText, gapText, seriesText } from "./agenda-words.ts";
import {
  type Day,
  daysOf,
  type Entry,
  type Gap,
  type Happening,
  happeningsOf,
  idOf,
  type Line,
  linesOf,
} from "./days.ts";
import type { Seen } from "./use-agenda.tsx";

export interface DayListProps {
  readonly agenda: Agenda;
  /** Identifies the question that the agenda answers. */
  readonly question: string;
  readonly zone: string;
  /** Stands in place of the days where nothing runs. */
  readonly empty: ReactNode;
  /** Stands below the days that are known. */
  readonly rest: ReactNode;
  /** Is told what of the list is in the window, whenever that changes. */
  readonly onSeen: (seen: Seen) => void;
}

/** What a row probably needs, until it is measured. */
const rowHeight = 33;
/** So many rows before its end, the end of the list is near. */
const aheadMax = 20;

/**
 * What runs on each day. What has begun keeps its place while somebody points at the list. Only the rows in the window
 * are drawn.
 */
export function DayList({ agenda, question, zone, empty, rest, onSeen }: DayListProps): ReactNode {
  const happenings = useMemo(() => happeningsOf(agenda, zone), [agenda, zone]);
  const steady = useSteadyRows(happenings, { idOf, question });
  const gaps = useMemo(
    () => new Map(agenda.dst_gaps.map((gap) => [`${gap.schedule_id} ${gap.runs_at}`, gap])),
    [agenda],
  );
  const isGone = (one: Happening): boolean => steady.isGone?.(one) === true;
  const lines = useMemo(() => linesOf(daysOf(steady.rows, zone, isGone)), [steady.rows, zone]);
  const { list, height, rows, virtual } = useWindowRows({
    count: lines.length,
    height: rowHeight,
    overscan: 12,
    keyOf: (index) => keyOf(lines[index]!),
  });
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
  const from = startIndex === 0 ? null : (lines[startIndex]?.day.date ?? null);
  const until = lines[endIndex + 1] === undefined ? null : lines[endIndex]!.day.date;
  const endOf = endIndex >= lines.length - aheadMax ? agenda : null;
  useEffect(() => onSeen({ from, until, endOf }), [from, until, endOf, onSeen]);
  const isEmpty = steady.rows.every(({ is }) => is === "change");
  const drawn = Map.groupBy(rows, ({ index }) => lines[index]!.day);
  return (
    <div {...steady.hold} className="min-w-0">
      <ShowNew of={steady} />
      {isEmpty && empty}
      <div ref={list} className="relative" style={{ height }}>
        {[...drawn].map(([day, places]) => (
          <DaySection
            key={day.date}
            day={day}
            rows={places.map((place) => ({ ...place, line: lines[place.index]! }))}
            measure={virtual.measureElement}
            zone={zone}
            gaps={gaps}
            isGone={isGone}
          />
        ))}
      </div>
      {!isEmpty && rest}
    </div>
  );
}

function keyOf(line: Line): string {
  return line.is === "day" ? line.day.date : idOf(line.one);
}

interface DayProps {
  readonly day: Day;
  /** Those of its rows that are drawn. */
  readonly rows: readonly (WindowRow & { readonly line: Line })[];
  readonly measure: (row: Element | null) => void;
  readonly zone: string;
  readonly isGone: (one: Happening) => boolean;
  /** The gaps of clock changes, by the schedule and the time that runs instead. */
  readonly gaps: ReadonlyMap<string, Gap>;
}

function DaySection({ day, rows, measure, zone, gaps, isGone }: DayProps): ReactNode {
  const placeOf = ({ index, y }: WindowRow) =>
    ({ ref: measure, "data-row": index, style: { transform: `translateY(${y}px)` } }) as const;
  return (
    <section aria-label={day.name}>
      {rows.map(
        (row) =>
          row.line.is === "day" && (
            <div
              key={row.key}
              {...placeOf(row)}
              className={classNames(
                "absolute inset-x-0 flex min-h-8 flex-wrap items-center justify-between gap-2 pb-2",
                row.index > 0 && "pt-4",
              )}
            >
              <h2>{day.name}</h2>
              <span className="text-muted">{count(day.runs, "run")}</span>
            </div>
          ),
      )}
      <ol>
        {rows.map(({ line, ...row }) => {
          if (line.is === "day") return null;
          const { one, place } = line;
          return (
            <li
              key={row.key}
              {...placeOf(row)}
              aria-posinset={place}
              aria-setsize={day.happenings.length}
              className={classNames(
                "absolute inset-x-0 grid min-h-8 grid-cols-[64px_minmax(0,1fr)] items-baseline gap-x-4 border-b py-1.5 md:grid-cols-[64px_minmax(0,3fr)_minmax(0,2fr)_minmax(0,4fr)]",
                isGone(one) && "**:text-muted!",
              )}
            >
              <HappeningCells one={one} zone={zone} gaps={gaps} />
              {isGone(one) && <span className="absolute top-1.5 right-0 bg-page px-2">Gone</span>}
            </li>
          );
        })}
      </ol>
    </section>
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

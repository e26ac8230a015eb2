import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useKeys } from "../app/keys.ts";
import { Button } from "../components/button.tsx";
import { classNames } from "../components/class-names.ts";
import { ShowNew } from "../components/show-new.tsx";
import { SkeletonRows, Shown } from "../components/states.tsx";
import { useSteadyRows } from "../components/steady-rows.ts";
import { useKnownNow } from "../data/now.ts";
import { useAnswered } from "../data/read.ts";
import { hasFailureIn } from "./clip.ts";
import { turnPath, useFoldedPaths } from "./folded-paths.ts";
import { linesOf } from "./lines.ts";
import { useOpenPage } from "./open-page.ts";
import { Plot, type PlotLine, type PlotProps } from "./plot.tsx";
import { asked, move, type Range, spanNames, spans, viewOf } from "./range.ts";
import type { ShownRange } from "./range-address.ts";
import type { TimelineRow } from "./rows.ts";
import { TimelineTable } from "./timeline-table.tsx";
import { rowsMax, useTimeline } from "./use-timeline.ts";

export interface TimelineFilter {
  readonly task_ids?: string;
  readonly group_id?: string;
  readonly q?: string;
  readonly label?: string;
  readonly state?: "active" | "failed" | "disabled";
}

export interface TimelinePanelProps extends ShownRange {
  readonly filter: TimelineFilter;
  readonly onChange: (change: Partial<ShownRange>) => void;
  /** What to say where no task matches. */
  readonly empty: ReactNode;
  /** The names of the tasks are left out where there is one row. */
  readonly isSingle?: boolean;
}

/** The timeline: what happened, what runs, and what comes, over one axis. */
export function TimelinePanel({
  filter,
  span,
  until,
  isTable,
  onChange,
  empty,
  isSingle = false,
}: TimelinePanelProps): ReactNode {
  const openPage = useOpenPage();
  const now = useSteppedNow(spans[span]);
  const range: Range = { span: spans[span], until };
  const view = viewOf(range, now);
  const read = useTimeline({ ...asked(view), ...filter, buckets: isSingle ? 500 : 240 });
  const { from, until: end } = view;
  const found = useMemo(() => {
    const all = read.data?.rows ?? null;
    return filter.state === "failed" ? (all?.filter((row) => hasFailureIn(row, { from, until: end })) ?? null) : all;
  }, [read.data, filter.state, from, end]);
  const hasMore = read.data !== null && read.data.next_cursor !== null;
  // all rows replace the first ones, and move none of them
  const answered = useAnswered(JSON.stringify([filter, read.isBegun]), read.isFormer);
  const steady = useSteadyRows(found, {
    idOf,
    question: answered,
    isCut: hasMore,
    isSteady: !isSingle,
    // the pointer is nearly always over it, and what somebody has just done must not wait
    holdsAbove: false,
  });
  const { rows } = steady;
  const isGone = (row: TimelineRow): boolean => steady.isGone?.(row) === true;
  useKeys([
    {
      key: "t",
      text: isTable ? "Show the timeline as a picture" : "Show the timeline as a table",
      act: () => onChange({ isTable: !isTable }),
    },
  ]);
  const open: PlotProps["onOpen"] = ({ what }, { task_id: taskId }, inNewTab) => {
    if (what.is === "run") openPage({ to: "/runs/$runId", params: { runId: what.id } }, inNewTab);
    else if (what.is === "missed") {
      const why = new Date(what.at).toISOString();
      openPage({ to: "/tasks/$taskId", params: { taskId }, search: { why } }, inNewTab);
    } else if (what.is === "coming")
      openPage({ to: "/tasks/$taskId", params: { taskId }, search: { part: "schedules" } }, inNewTab);
    else {
      const inner = spanNames.findLast((name) => spans[name] < spans[span]) ?? "1h";
      onChange({ span: inner, until: (what.from + what.until + spans[inner]) / 2 });
    }
  };
  return (
    <section aria-label="Timeline" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-1">
        <div role="group" aria-label="Range" className="flex gap-1">
          {spanNames.map((name) => (
            <Button
              key={name}
              look="quiet"
              aria-pressed={name === span}
              className={classNames("max-sm:px-2", name === span && "bg-hover font-medium")}
              onClick={() => onChange({ span: name, until: null })}
            >
              {name}
            </Button>
          ))}
        </div>
        <Button
          look="quiet"
          className="max-sm:px-2"
          aria-label="Earlier"
          onClick={() => onChange({ until: move(range, -spans[span] / 2, now).until })}
        >
          ←
        </Button>
        <Button
          look="quiet"
          className="max-sm:px-2"
          aria-label="Later"
          onClick={() => onChange({ until: move(range, spans[span] / 2, now).until })}
        >
          →
        </Button>
        {until !== null && <Button onClick={() => onChange({ until: null })}>Back to now</Button>}
        <Button
          look="quiet"
          className="ml-auto max-sm:px-2"
          aria-pressed={isTable}
          onClick={() => onChange({ isTable: !isTable })}
        >
          {isTable ? "As a picture" : "As a table"}
        </Button>
      </div>
      <Shown read={read} skeleton={<SkeletonRows rows={isSingle ? 1 : 8} />}>
        {() => (
          <div {...steady.hold}>
            <ShowNew of={steady} />
            {rows.length === 0 ? (
              empty
            ) : isTable ? (
              <TimelineTable rows={rows} isGone={isGone} view={view} now={now} />
            ) : (
              <Picture
                rows={rows}
                isGone={isGone}
                view={view}
                now={now}
                isSingle={isSingle}
                onMove={(by) => onChange({ until: move(range, by, now).until })}
                onOpen={open}
              />
            )}
          </div>
        )}
      </Shown>
      {hasMore && !read.isBegun && (
        <p className="text-small text-muted">Tasks after the first {rowsMax} are not shown. Filter to see them.</p>
      )}
    </section>
  );
}

const idOf = ({ task_id: id }: TimelineRow): string => id;

interface PictureProps {
  readonly rows: readonly TimelineRow[];
  readonly isGone: (row: TimelineRow) => boolean;
  readonly view: { readonly from: number; readonly until: number };
  readonly now: number;
  readonly isSingle: boolean;
  readonly onMove: (by: number) => void;
  readonly onOpen: PlotProps["onOpen"];
}

function Picture({ rows, isGone, view, now, isSingle, onMove, onOpen }: PictureProps): ReactNode {
  const folded = useFoldedPaths();
  const lines = useMemo(() => plotLinesOf(rows, { isGone, folded, isSingle }), [rows, folded, isSingle]);
  return (
    <Plot
      lines={lines}
      hasLabels={!isSingle}
      from={view.from}
      until={view.until}
      now={now}
      onMove={onMove}
      onOpen={onOpen}
    />
  );
}

function plotLinesOf(
  rows: readonly TimelineRow[],
  options: Pick<PictureProps, "isGone" | "isSingle"> & { readonly folded: ReadonlySet<string> },
): readonly PlotLine[] {
  const { isGone, folded, isSingle } = options;
  if (isSingle) return rows.map((row) => ({ is: "row", id: row.task_id, row, label: null }));
  return linesOf(rows, folded).map((line): PlotLine => {
    if (line.is === "heading") {
      const { path, isFolded } = line;
      return {
        is: "heading",
        id: `group ${path}`,
        label: (
          <button
            type="button"
            aria-expanded={!isFolded}
            className="truncate text-left font-medium text-muted"
            onClick={() => turnPath(path)}
          >
            {isFolded ? "▸" : "▾"} {path}
          </button>
        ),
      };
    }
    const { row } = line;
    return {
      is: "row",
      id: row.task_id,
      row,
      label: (
        <Link
          to="/tasks/$taskId"
          params={{ taskId: row.task_id }}
          title={row.name}
          data-task={row.task_id}
          className={classNames("truncate", row.group_path !== null && "pl-2 sm:pl-4", isGone(row) && "text-muted")}
        >
          {row.name}
        </Link>
      ),
    };
  });
}

/** The time, in steps that are too small to see at this range. */
function useSteppedNow(span: number): number {
  const now = useKnownNow();
  const step = Math.max(1_000, span / 2_000);
  return Math.floor(now / step) * step;
}

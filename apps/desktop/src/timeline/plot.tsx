import { type MouseEvent, type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from "react";
import { classNames } from "../components/class-names.ts";
import { useWindowRows } from "../components/window-rows.ts";
import { useZone } from "../data/preferences.ts";
import { formatTime } from "../data/words.ts";
import { type Axis, type Scale, scaleOf, xOf } from "./axis.ts";
import { type Mark, markAt, marksOf } from "./marks.ts";
import { Hatch, RowMarks } from "./row-marks.tsx";
import type { TimelineRow } from "./rows.ts";
import { pathsOf, rowHeight } from "./shapes.ts";
import { useDrag } from "./use-drag.ts";

/** A line of the plot: a row with marks, or the heading of a group. */
export type PlotLine =
  | { readonly is: "row"; readonly id: string; readonly row: TimelineRow; readonly label: ReactNode }
  | { readonly is: "heading"; readonly id: string; readonly label: ReactNode };

export interface PlotProps {
  readonly lines: readonly PlotLine[];
  /** A single line needs no label. */
  readonly hasLabels?: boolean;
  readonly from: number;
  readonly until: number;
  readonly now: number;
  /** Called when a drag ends, with the part of time by which it moved the picture. Without it, nothing moves. */
  readonly onMove?: (by: number) => void;
  /** What a mark is called. */
  readonly wordsOf?: (mark: Mark) => string;
  readonly onOpen: (mark: Mark, row: TimelineRow, inNewTab: boolean) => void;
}

const axisHeight = 28;
/** Rows over one axis of time. A drag moves the picture without drawing it again. */
export function Plot({ lines, hasLabels = true, from, until, now, onMove, wordsOf, onOpen }: PlotProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const zone = useZone();
  const hatch = useId();
  const axis = useMemo<Axis>(() => ({ from, until, width }), [from, until, width]);
  const { list, height, rows } = useWindowRows({ count: lines.length, height: rowHeight, overscan: 8 });
  const [pointed, setPointed] = useState<{ readonly mark: Mark; readonly y: number } | null>(null);
  const drag = useDrag(frame, { width, span: until - from, ...(onMove === undefined ? {} : { onMove }) });
  const nowX = xOf(now, axis);
  const scale = useMemo(() => scaleOf(axis, zone, nowX), [axis, zone, nowX]);
  return (
    <div
      className={
        hasLabels
          ? "relative grid grid-cols-[minmax(112px,38%)_minmax(0,1fr)] sm:grid-cols-[220px_minmax(0,1fr)]"
          : "relative grid grid-cols-[0_minmax(0,1fr)]"
      }
    >
      <Hatch id={hatch} />
      <div />
      <div className="relative overflow-hidden border-b" style={{ height: axisHeight }}>
        <AxisLabels scale={scale} zone={zone} />
      </div>
      <div className="relative" ref={list} style={{ height }} data-rows={lines.length}>
        {rows.map(({ index, y }) => {
          const line = lines[index]!;
          return (
            <div
              key={line.id}
              data-row={index}
              className="absolute inset-x-0 flex items-center overflow-hidden border-b pr-2"
              style={{ height: rowHeight, transform: `translateY(${y}px)` }}
            >
              {line.label}
            </div>
          );
        })}
      </div>
      <div className="relative">
        <div
          ref={frame}
          className={classNames(
            "relative h-full overflow-hidden",
            onMove !== undefined && "cursor-grab touch-pan-y select-none active:cursor-grabbing",
          )}
          {...drag.handlers}
          onPointerLeave={() => setPointed(null)}
        >
          <div className="absolute inset-0" data-canvas>
            <Grid scale={scale} axis={axis} nowX={nowX} />
            {width > 0 &&
              rows.map(({ index, y }) => {
                const line = lines[index]!;
                if (line.is === "heading")
                  return (
                    <div
                      key={line.id}
                      className="absolute inset-x-0 border-b"
                      style={{ height: rowHeight, transform: `translateY(${y}px)` }}
                    />
                  );
                return (
                  <Line
                    key={line.id}
                    row={line.row}
                    axis={axis}
                    now={now}
                    zone={zone}
                    hatch={hatch}
                    y={y}
                    onPoint={(mark) => setPointed(mark === null ? null : { mark, y })}
                    onOpen={(mark, inNewTab) => (drag.wasDragged() ? undefined : onOpen(mark, line.row, inNewTab))}
                  />
                );
              })}
          </div>
        </div>
        {pointed !== null && (
          <div
            className="pointer-events-none absolute z-10 max-w-72 rounded-sm border bg-raised px-2 py-1 text-small shadow-float"
            style={{ left: Math.max(0, Math.min(pointed.mark.x, width - 240)), top: pointed.y + rowHeight }}
          >
            {wordsOf === undefined ? pointed.mark.describe() : wordsOf(pointed.mark)}
          </div>
        )}
      </div>
    </div>
  );
}

const middleButton = 1;

interface LineProps {
  readonly row: TimelineRow;
  readonly axis: Axis;
  readonly now: number;
  readonly zone: string;
  readonly hatch: string;
  readonly y: number;
  readonly onPoint: (mark: Mark | null) => void;
  readonly onOpen: (mark: Mark, inNewTab: boolean) => void;
}

function Line({ row, axis, now, zone, hatch, y, onPoint, onOpen }: LineProps): ReactNode {
  const marks = useMemo(() => marksOf(row, { axis, now, zone }), [row, axis, now, zone]);
  const paths = useMemo(() => pathsOf(marks), [marks]);
  const find = (event: MouseEvent): Mark | null =>
    markAt(marks, event.clientX - event.currentTarget.getBoundingClientRect().left);
  // only a press that also began here is a click
  const open = (event: MouseEvent): void => {
    const mark = find(event);
    if (mark !== null) onOpen(mark, event.button === middleButton || event.ctrlKey || event.metaKey);
  };
  return (
    <div
      className="absolute inset-x-0 border-b"
      style={{ height: rowHeight, transform: `translateY(${y}px)` }}
      onPointerMove={(event) => {
        const mark = find(event);
        event.currentTarget.classList.toggle("cursor-pointer", mark !== null);
        onPoint(mark);
      }}
      onMouseDown={(event) => {
        // it would begin to scroll the page
        if (event.button === middleButton && find(event) !== null) event.preventDefault();
      }}
      onClick={open}
      onAuxClick={(event) => (event.button === middleButton ? open(event) : undefined)}
    >
      <RowMarks paths={paths} width={axis.width} hatch={hatch} />
    </div>
  );
}

interface AxisProps {
  readonly scale: Scale;
  readonly axis: Axis;
  readonly nowX: number;
}

function AxisLabels({
  scale: { labels, changes, nowX },
  zone,
}: Pick<AxisProps, "scale"> & { readonly zone: string }): ReactNode {
  return (
    <>
      {labels.map(({ at, x, label, isDay }) => (
        <span
          key={at}
          className={`absolute bottom-1 -translate-x-1/2 text-small whitespace-nowrap ${isDay ? "font-medium" : "text-muted"}`}
          style={{ left: x }}
        >
          {label}
        </span>
      ))}
      {changes.map(({ at, x, label, text }) => (
        <span
          key={at}
          role="img"
          aria-label={`${text} on ${formatTime(at, zone)}`}
          title={`${text} on ${formatTime(at, zone)}`}
          className="absolute bottom-1 -translate-x-1/2 rounded-sm border border-dashed border-attention px-1 text-small leading-4 whitespace-nowrap text-attention"
          style={{ left: x }}
        >
          {label}
        </span>
      ))}
      {nowX !== null && (
        <span
          className="absolute bottom-1 -translate-x-1/2 rounded-sm bg-accent px-1 text-small text-on-accent"
          style={{ left: nowX }}
        >
          now
        </span>
      )}
    </>
  );
}

function Grid({ scale: { ticks, changes }, axis, nowX }: AxisProps): ReactNode {
  // where each tick is a day, none of them stands out
  const isAllDays = ticks.every(({ isDay }) => isDay);
  return (
    <svg aria-hidden="true" className="pointer-events-none absolute inset-0 h-full w-full">
      {ticks.map(({ at, isDay }) => (
        <line
          key={at}
          x1={xOf(at, axis)}
          x2={xOf(at, axis)}
          y1="0"
          y2="100%"
          className={isDay && !isAllDays ? "stroke-control" : "stroke-line"}
        />
      ))}
      {changes.map(({ at }) => (
        <line
          key={`change ${at}`}
          x1={xOf(at, axis)}
          x2={xOf(at, axis)}
          y1="0"
          y2="100%"
          className="stroke-attention"
          strokeDasharray="2 4"
        />
      ))}
      <line x1={nowX} x2={nowX} y1="0" y2="100%" className="stroke-accent stroke-2" />
    </svg>
  );
}

function useWidth(frame: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (frame.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame]);
  return width;
}

import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { Button } from "../../../components/button.tsx";
import { usePreferences, useZone } from "../../../data/preferences.ts";
import { count } from "../../../data/words.ts";
import { OutputRow } from "./row.tsx";
import type { Find } from "./use-find.ts";
import { useFollow } from "./use-follow.ts";
import { useLineFocus } from "./use-line-focus.ts";
import type { LiveOutput } from "./use-output.ts";

export interface LinesProps {
  readonly output: LiveOutput;
  readonly find: Find;
  readonly needle: string;
  /** The line of the address. */
  readonly marked: number | null;
  /** The line to show; a new object each time that it is asked for. */
  readonly goal: { readonly line: number } | null;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  readonly onMark: (line: number) => void;
  /** The address of a line, without its number. */
  readonly address: string;
}

const lineHeight = 20;

/** The lines, of which only the visible ones exist on the page. */
export function Lines(props: LinesProps): ReactNode {
  const { output, find, needle, marked, goal, isFollowing, onFollow, onMark, address } = props;
  const { store } = output;
  const { wrapsOutput: wraps } = usePreferences();
  const zone = useZone();
  const box = useRef<HTMLDivElement>(null);
  const { dropped } = store;
  const focus = useLineFocus({ box, store, onMove: () => onFollow(false) });
  const virtual = useVirtualizer({
    count: store.rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 30,
    // the same function for as long as it has the same answers: another one makes all rows be placed anew
    getItemKey: useCallback((index: number) => dropped + index, [dropped]),
    rangeExtractor: (range) => focus.withPlace(defaultRangeExtractor(range)),
    // what somebody reads keeps its place while older lines give way
    anchorTo: isFollowing ? "start" : "end",
  });
  useEffect(() => virtual.measure(), [wraps, virtual]);
  const height = virtual.getTotalSize();
  const follow = useFollow({ box, lineCount: store.lineCount, height, isFollowing, onFollow });

  const reached = useRef<object | null>(null);
  useLayoutEffect(() => {
    if (goal === null || reached.current === goal) return;
    const place = store.placeOf(goal.line);
    // it may not have been read yet
    if (place === null) return;
    reached.current = goal;
    // the box has its height in the next frame
    requestAnimationFrame(() => virtual.scrollToIndex(place, { align: "center" }));
  }, [goal, store, output, virtual]);

  const seen = virtual.range;
  const markedPlace = marked === null ? null : store.placeOf(marked);
  const isMarkedSeen =
    markedPlace !== null && seen !== null && markedPlace >= seen.startIndex && markedPlace <= seen.endIndex;
  // of all lines, Tab stops at one
  const stop = focus.place ?? (isMarkedSeen ? markedPlace : (seen?.startIndex ?? 0));

  return (
    <div className="relative">
      {dropped > 0 && (
        <p className="pb-1 text-attention">
          The oldest {count(dropped, "line")} are not kept on this page. Download the output to read them.
        </p>
      )}
      {marked !== null && output.is !== "reading" && markedPlace === null && (
        <p className="pb-1 text-attention">Line {marked} is not on this page.</p>
      )}
      <div
        ref={box}
        role="region"
        aria-label="Lines of the output"
        tabIndex={0}
        onScroll={follow.onScroll}
        {...focus.handlers}
        className="max-h-[70vh] min-h-16 overflow-auto rounded-sm border bg-surface py-1 font-mono text-small leading-5"
      >
        <div className="relative min-w-full" style={{ height }}>
          {virtual.getVirtualItems().map((item) => {
            const row = store.rows[item.index]!;
            const number = row.is === "line" ? row.number : 0;
            return (
              <div
                key={item.key}
                data-index={item.index}
                ref={wraps ? virtual.measureElement : undefined}
                className="absolute top-0 left-0 min-w-full"
                style={{ transform: `translateY(${item.start}px)`, ...(wraps ? { width: "100%" } : {}) }}
              >
                <OutputRow
                  row={row}
                  needle={needle}
                  current={find.current?.line === number ? find.current.start : null}
                  isMarked={marked === number}
                  isStop={item.index === stop}
                  wraps={wraps}
                  zone={zone}
                  address={`${address}${number}`}
                  onMark={onMark}
                />
              </div>
            );
          })}
        </div>
      </div>
      {follow.newLines > 0 && (
        <div className="absolute inset-x-0 bottom-3 flex justify-center">
          <Button className="shadow-float" onClick={() => onFollow(true)}>
            ↓ {count(follow.newLines, "new line")}
          </Button>
        </div>
      )}
    </div>
  );
}

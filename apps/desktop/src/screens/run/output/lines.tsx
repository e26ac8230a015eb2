import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { Button } from "../../../components/button.tsx";
import { usePreferences, useZone } from "../../../data/preferences.ts";
import { count } from "../../../data/words.ts";
import { OutputRow } from "./row.tsx";
import type { Find } from "./use-find.ts";
import { useFollow } from "./use-follow.ts";
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
  const virtual = useVirtualizer({
    count: store.rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 30,
    getItemKey: (index) => store.dropped + index,
  });
  useEffect(() => virtual.measure(), [wraps, virtual]);
  const height = virtual.getTotalSize();
  const follow = useFollow({ box, lineCount: store.lineCount, height, isFollowing, onFollow });
  useKeptPlace(box, store.dropped, isFollowing);

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

  return (
    <div className="relative">
      {store.dropped > 0 && (
        <p className="pb-1 text-attention">
          The oldest {count(store.dropped, "line")} are not kept on this page. Download the output to read them.
        </p>
      )}
      {marked !== null && output.is !== "reading" && store.placeOf(marked) === null && (
        <p className="pb-1 text-attention">Line {marked} is not on this page.</p>
      )}
      <div
        ref={box}
        role="region"
        aria-label="Lines of the output"
        tabIndex={0}
        onScroll={follow.onScroll}
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

/** Holds what somebody reads in its place while older lines give way. */
function useKeptPlace(box: { readonly current: HTMLElement | null }, dropped: number, isFollowing: boolean): void {
  const before = useRef(dropped);
  useLayoutEffect(() => {
    const gone = dropped - before.current;
    before.current = dropped;
    if (gone > 0 && !isFollowing && box.current !== null) box.current.scrollTop -= gone * lineHeight;
  }, [box, dropped, isFollowing]);
}

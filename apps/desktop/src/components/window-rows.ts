import { useWindowVirtualizer, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual";
import { type Key, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

export interface WindowRowsOptions {
  readonly count: number;
  /** The height of a row in pixels, or what it probably needs until it is measured: of every row, or of the one at a place. */
  readonly height: number | ((index: number) => number);
  /** How many rows are drawn beyond each edge of the window. */
  readonly overscan: number;
  /** What a row is known by. Without it, its place in the list. */
  readonly keyOf?: (index: number) => string;
}

export interface WindowRow {
  readonly key: Key;
  readonly index: number;
  readonly height: number;
  /** Where the row begins in the list, in pixels. */
  readonly y: number;
}

export interface WindowRows {
  /** The element that holds the rows. */
  readonly list: RefObject<HTMLDivElement | null>;
  /** The height of all rows together, in pixels. */
  readonly height: number;
  /** The rows that are drawn. */
  readonly rows: readonly WindowRow[];
  readonly virtual: Virtualizer<Window, Element>;
}

/** The rows of a list that scrolls with its page: only those in the window are drawn. Each row says its place in `data-row`. */
export function useWindowRows({ count, height, overscan, keyOf }: WindowRowsOptions): WindowRows {
  const list = useRef<HTMLDivElement>(null);
  const top = useTop(list);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: typeof height === "number" ? () => height : height,
    overscan,
    scrollMargin: top,
    indexAttribute: "data-row",
    ...(keyOf === undefined ? {} : { getItemKey: keyOf }),
  });
  virtual.shouldAdjustScrollPositionOnItemSizeChange = keepsPlace;
  const rows = virtual
    .getVirtualItems()
    .map(({ key, index, size, start }) => ({ key, index, height: size, y: start - top }));
  return { list, height: virtual.getTotalSize(), rows, virtual };
}

/**
 * Whether the page is scrolled by as much as a row above the window grew when it was measured. Not while the page is
 * being scrolled down: it would end the movement of the End key, or of Page Down, half-way.
 */
function keepsPlace(row: VirtualItem, _grownBy: number, list: Virtualizer<Window, Element>): boolean {
  if (list.isScrolling && list.scrollDirection === "forward") return false;
  return row.end <= (list.scrollOffset ?? 0);
}

/** How far below the begin of the page an element begins, in pixels. What stands above it may grow at any time. */
function useTop(of: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  const measure = (): void => {
    // the distance to its offset parent would not do: that may be any element around it
    if (of.current !== null) setTop(Math.round(of.current.getBoundingClientRect().top + window.scrollY));
  };
  useLayoutEffect(measure);
  useEffect(() => {
    // the page is as high as all that stands on it
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return top;
}

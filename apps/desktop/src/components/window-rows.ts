import { useWindowVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type Key, type RefObject, useLayoutEffect, useRef, useState } from "react";

export interface WindowRowsOptions {
  readonly count: number;
  /** The height of a row in pixels, or what it probably needs until it is measured. */
  readonly height: number;
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
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan,
    scrollMargin: top,
    indexAttribute: "data-row",
    ...(keyOf === undefined ? {} : { getItemKey: keyOf }),
  });
  const rows = virtual
    .getVirtualItems()
    .map(({ key, index, size, start }) => ({ key, index, height: size, y: start - top }));
  return { list, height: virtual.getTotalSize(), rows, virtual };
}

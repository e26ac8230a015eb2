import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { LineStore } from "./line-store.ts";

export interface LineFocusOptions {
  readonly box: RefObject<HTMLElement | null>;
  readonly store: LineStore;
  /** Called when a key goes to another line. */
  readonly onMove: () => void;
}

export interface LineFocus {
  /** The place of the line that has the focus among the kept rows, or null. */
  readonly place: number | null;
  /** The places to draw: those that would be drawn anyway, and that line, or the focus would be lost out of sight. */
  readonly withPlace: (drawn: number[]) => number[];
  /** For the element that scrolls. */
  readonly handlers: {
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: () => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** Goes from line to line with the arrow keys, so that Tab need not stop at each of the lines. */
export function useLineFocus({ box, store, onMove }: LineFocusOptions): LineFocus {
  // counted over all rows there ever were, because the oldest give way
  const [held, setHeld] = useState<number | null>(null);
  const isAsked = useRef(false);
  useLayoutEffect(() => {
    if (!isAsked.current || held === null) return;
    isAsked.current = false;
    box.current?.querySelector<HTMLElement>(`[data-index="${held - store.dropped}"] a`)?.focus();
  }, [box, store, held]);
  const place = held === null || held < store.dropped ? null : held - store.dropped;
  return {
    place,
    withPlace: (drawn) => {
      if (place === null || place >= store.rows.length || drawn.includes(place)) return drawn;
      return [...drawn, place].toSorted((a, b) => a - b);
    },
    handlers: {
      onFocus: ({ target }) => {
        const at = placeOf(target);
        setHeld(at === null ? null : store.dropped + at);
      },
      onBlur: () => setHeld(null),
      onKeyDown: (event) => {
        const step = steps[event.key];
        const from = placeOf(event.target);
        if (step === undefined || from === null || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        const next = nextLine(store, from, step);
        if (next === null) return;
        onMove();
        isAsked.current = true;
        setHeld(store.dropped + next);
      },
    },
  };
}

function placeOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return row === null ? null : Number(row.dataset["index"]);
}

/** What was not kept has no number to go to. */
function nextLine({ rows }: LineStore, from: number, step: 1 | -1): number | null {
  for (let place = from + step; place >= 0 && place < rows.length; place += step)
    if (rows[place]!.is === "line") return place;
  return null;
}

import { type HTMLAttributes, useMemo, useRef, useState } from "react";

export interface SteadyRows<T> {
  readonly rows: readonly T[];
  /** The number of rows that are not shown yet. */
  readonly waiting: number;
  readonly show: () => void;
  /** For the element that holds the rows. */
  readonly hold: Hold["handlers"];
}

export interface Hold {
  /** Somebody points at the list or has the focus in it. */
  readonly isHeld: boolean;
  readonly handlers: Pick<HTMLAttributes<HTMLElement>, "onPointerEnter" | "onPointerLeave" | "onFocus" | "onBlur">;
}

export function useHold(): Hold {
  const [isPointed, setIsPointed] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  return {
    isHeld: isPointed || isFocused,
    handlers: {
      onPointerEnter: () => setIsPointed(true),
      onPointerLeave: () => setIsPointed(false),
      onFocus: () => setIsFocused(true),
      onBlur: ({ currentTarget, relatedTarget }) => {
        // the focus goes from one row to the next
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsFocused(false);
      },
    },
  };
}

/**
 * Keeps rows where they are while somebody points at the list or has the focus in it: what is known of them changes in
 * place, and new ones wait.
 */
export function useSteadyRows<T>(
  rows: readonly T[],
  options: { readonly idOf: (row: T) => string; readonly isSteady: boolean },
): SteadyRows<T> {
  const { idOf, isSteady } = options;
  const [asked, setAsked] = useState(0);
  const hold = useHold();
  const kept = useRef<{ ids: ReadonlySet<string>; asked: number }>({ ids: new Set(), asked: 0 });
  const isHeld = isSteady && hold.isHeld;
  const shown = useMemo(() => {
    if (!isHeld || kept.current.ids.size === 0 || kept.current.asked !== asked) {
      kept.current = { ids: new Set(rows.map(idOf)), asked };
      return rows;
    }
    // older rows that were loaded by scrolling are no news: only those before the first known row wait
    const first = rows.findIndex((row) => kept.current.ids.has(idOf(row)));
    const settled = first === -1 ? rows : rows.slice(first);
    for (const row of settled) (kept.current.ids as Set<string>).add(idOf(row));
    return settled;
  }, [rows, isHeld, asked, idOf]);
  return {
    rows: shown,
    waiting: rows.length - shown.length,
    show: () => setAsked((times) => times + 1),
    hold: isSteady ? hold.handlers : {},
  };
}

import { useLayoutEffect, useState, useSyncExternalStore } from "react";

/**
 * What a list must not change: `rows` where somebody points at it, has the focus in it or a menu of it open; `height`
 * where that is so of a list below it; `nothing` otherwise.
 */
export type Kept = "nothing" | "rows" | "height";

export interface Hold {
  readonly kept: Kept;
  /** For the element that holds the rows. */
  readonly target: { readonly ref?: (element: HTMLElement | null) => void };
}

/**
 * Follows whether a list may change now. `holdsAbove`: the lists above it keep their height while somebody points at it
 * or has the focus in it.
 */
export function useHold(holdsAbove = true): Hold {
  const [list, setList] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (list === null || !holdsAbove) return;
    lists.add(list);
    return () => void lists.delete(list);
  }, [list, holdsAbove]);
  return { kept: useSyncExternalStore(subscribe, () => keptOf(list)), target: { ref: setList } };
}

const lists = new Set<HTMLElement>();
const listeners = new Set<() => void>();
let pointed: Node | null = null;

function keptOf(list: HTMLElement | null): Kept {
  if (list === null) return "nothing";
  const isBelow = (other: HTMLElement): boolean =>
    (list.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  if ([...lists].some((other) => isBelow(other) && isHeld(other))) return "height";
  return isHeld(list) ? "rows" : "nothing";
}

/** The document is asked each time: what is removed while it is pointed at or has the focus sends no event. */
function isHeld(list: HTMLElement): boolean {
  return (
    list.contains(pointed) ||
    (document.hasFocus() && list.contains(document.activeElement)) ||
    list.querySelector("[data-state=open]") !== null
  );
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) for (const [name, listen] of events) document.addEventListener(name, listen);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) for (const [name, listen] of events) document.removeEventListener(name, listen);
  };
}

const report = (): void => {
  for (const listener of listeners) listener();
};
const point = (to: EventTarget | null): void => {
  pointed = to instanceof Node ? to : null;
  report();
};
const events = [
  ["pointerover", ({ target }: Event) => point(target)],
  [
    "pointerout",
    (event: Event) => {
      if (event instanceof PointerEvent && event.relatedTarget === null) point(null);
    },
  ],
  ["focusin", report],
  [
    "focusout",
    (event: Event) => {
      // what floats hands the focus back just after it has closed
      if (event instanceof FocusEvent && event.relatedTarget === null) requestAnimationFrame(() => setTimeout(report));
    },
  ],
] as const;

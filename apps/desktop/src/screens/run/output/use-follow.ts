import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

export interface Followed {
  readonly box: RefObject<HTMLElement | null>;
  readonly lineCount: number;
  /** The height of all lines. */
  readonly height: number;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

export interface Follow {
  /** How many lines came since somebody scrolled away. */
  readonly newLines: number;
  readonly onScroll: () => void;
}

const nearEnd = 8;
/** A scroll so long after a wheel, a touch, a key or a press is still that person's. */
const personMs = 2_000;
const inputs = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** Sticks to the end of a box until somebody scrolls away from it, and again once they return. */
export function useFollow({ box, lineCount, height, isFollowing, onFollow }: Followed): Follow {
  const [seen, setSeen] = useState(lineCount);
  const lastTop = useRef(0);
  const inputAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const element = box.current;
    const listen = (): void => {
      inputAt.current = performance.now();
    };
    for (const input of inputs) element?.addEventListener(input, listen, { passive: true });
    return () => {
      for (const input of inputs) element?.removeEventListener(input, listen);
    };
  }, [box]);
  const isPerson = (): boolean => performance.now() - inputAt.current < personMs;
  useLayoutEffect(() => {
    const element = box.current;
    if (!isFollowing || element === null) return;
    setSeen(lineCount);
    // somebody scrolled up, and their event is on its way
    if (isPerson() && element.scrollTop < lastTop.current - 1) return;
    toEnd(element);
    lastTop.current = element.scrollTop;
  }, [box, isFollowing, lineCount, height]);
  const onScroll = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    const top = lastTop.current;
    lastTop.current = element.scrollTop;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    if (!isPerson()) {
      // lines that turned out to be of another height moved the box, not a person
      if (isFollowing && !isAtEnd) toEnd(element);
    } else if (isAtEnd) {
      if (element.scrollTop > top) onFollow(true);
    } else if (element.scrollTop < top) onFollow(false);
  }, [box, isFollowing, onFollow]);
  return { newLines: isFollowing ? 0 : Math.max(0, lineCount - seen), onScroll };
}

function toEnd(element: HTMLElement): void {
  element.scrollTop = element.scrollHeight;
}

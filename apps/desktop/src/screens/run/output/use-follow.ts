import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";

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

/** Sticks to the end of a box until somebody scrolls away from it, and again once they return. */
export function useFollow({ box, lineCount, height, isFollowing, onFollow }: Followed): Follow {
  const [seen, setSeen] = useState(lineCount);
  const last = useRef({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!isFollowing || element === null) return;
    // somebody scrolled away, and their event is on its way
    if (isAway(element, last.current)) return;
    element.scrollTop = element.scrollHeight;
    last.current = { top: element.scrollTop, height: element.scrollHeight };
    setSeen(lineCount);
  }, [box, isFollowing, lineCount, height]);
  const onScroll = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const former = last.current;
    last.current = { top: scrollTop, height: scrollHeight };
    const isAtEnd = scrollHeight - scrollTop - clientHeight < nearEnd;
    if (isAway(element, former) && !isAtEnd) onFollow(false);
    else if (isAtEnd && scrollTop > former.top) onFollow(true);
  }, [box, onFollow]);
  return { newLines: isFollowing ? 0 : Math.max(0, lineCount - seen), onScroll };
}

interface Position {
  readonly top: number;
  readonly height: number;
}

/** Lines that turn out shorter move the box too: only a person moves up while the height stays. */
function isAway({ scrollTop, scrollHeight }: HTMLElement, former: Position): boolean {
  return scrollTop < former.top - 1 && scrollHeight >= former.height;
}

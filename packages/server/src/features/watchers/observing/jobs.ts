/** Work in steps, of which one round of the observer does as many as its time allows. */
export interface Jobs<K> {
  /** A job that waits already under this key is not added again. */
  readonly add: (key: K, begin: () => Generator<void>) => void;
  readonly drop: (key: K) => void;
  /** Works until the time is over or nothing is left. */
  readonly work: (isOver: () => boolean) => void;
  readonly size: () => number;
}

export function createJobs<K>(onError: (error: unknown) => void): Jobs<K> {
  const waiting = new Map<K, () => Generator<void>>();
  let current: Generator<void> | null = null;

  return {
    add: (key, begin) => void (waiting.has(key) || waiting.set(key, begin)),
    drop: (key) => void waiting.delete(key),
    work: (isOver) => {
      while (!isOver()) {
        current ??= next();
        if (current === null) return;
        try {
          if (current.next().done === true) current = null;
        } catch (error) {
          current = null;
          onError(error);
        }
      }
    },
    size: () => waiting.size + (current === null ? 0 : 1),
  };

  function next(): Generator<void> | null {
    for (const [key, begin] of waiting) {
      waiting.delete(key);
      return begin();
    }
    return null;
  }
}

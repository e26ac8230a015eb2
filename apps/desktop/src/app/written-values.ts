export interface WrittenValues {
  /** What the address has, or will have once it has followed. */
  readonly latest: () => string;
  readonly write: (value: string) => void;
  /** Whether a value that the address got was written by somebody else, such as a link. It is the latest then. */
  readonly isForeign: (value: string) => boolean;
}

/**
 * Tells what a field wrote into the address from what a link wrote. The address follows late on a busy machine: it may still get
 * an earlier value after a later one was written, and it may skip values.
 */
export function createWrittenValues(initial: string): WrittenValues {
  let latest = initial;
  let pending: readonly string[] = [];
  return {
    latest: () => latest,
    write: (value) => {
      latest = value;
      pending = [...pending, value];
    },
    isForeign: (value) => {
      const index = pending.indexOf(value);
      if (index !== -1) {
        pending = pending.slice(index + 1);
        return false;
      }
      if (value === latest) return false;
      latest = value;
      pending = [];
      return true;
    },
  };
}

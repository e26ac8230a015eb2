export interface WrittenValues {
  /** What the address has, or will have once it has followed. */
  readonly latest: () => string;
  readonly write: (value: string) => void;
  /** Takes a value that the address got. Returns whether somebody else wrote it, such as a link: then it is the latest. */
  readonly arrive: (value: string) => boolean;
}

/**
 * Tells what a field wrote into the address from what a link wrote. The address follows late on a busy machine: it may still get
 * an earlier value after a later one was written, and it may skip values.
 */
export function createWrittenValues(initial: string): WrittenValues {
  /** What the address has, and after it what it has yet to get. */
  let values: readonly string[] = [initial];
  return {
    latest: () => values.at(-1)!,
    write: (value) => {
      values = [...values, value];
    },
    arrive: (value) => {
      const index = values.lastIndexOf(value);
      values = index === -1 ? [value] : values.slice(index);
      return index === -1;
    },
  };
}

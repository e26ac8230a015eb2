export interface StopProof {
  /** Whether a cgroup proves that no other process is left. */
  readonly isProved: boolean;
}

/**
 * Describes for people the processes that did not end, or that may remain; null if there are none. Without a cgroup,
 * nothing proves that none is left.
 */
export function describeRemaining(remaining: readonly number[], { isProved }: StopProof): string | null {
  const named = remaining.length === 0 ? [] : [`these processes did not end: ${remaining.join(", ")}`];
  const unproved = isProved ? [] : [unprovedText];
  return [...named, ...unproved].join("; ") || null;
}

const unprovedText =
  "the run had no cgroup, so a background process that left its session and cleared its environment may remain";

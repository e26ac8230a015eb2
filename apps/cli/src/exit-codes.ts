/** What the command's end tells a script. */
export const exitCodes = {
  ok: 0,
  /** The run, or the operation, failed. */
  failed: 1,
  /** A mistake in the command line or in a value. */
  usage: 2,
  notFound: 3,
  unreachable: 4,
  /** Authentication, permission or trust. */
  refused: 5,
  /** A change was sent and its answer was lost. */
  uncertain: 6,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

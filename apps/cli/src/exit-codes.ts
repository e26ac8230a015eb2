/** The exit codes of the command. Their names, in snake case, are the error codes of `--json`. */
export const exitCodes = {
  ok: 0,
  /** The run, or the operation, failed. */
  failed: 1,
  /** The command line or a value is invalid. */
  usage: 2,
  notFound: 3,
  unreachable: 4,
  /** Authentication, permission or trust. */
  refused: 5,
  /** A change was sent, but its response was lost. */
  uncertain: 6,
  /** The program of a run could not be executed. This code and the next are those of a shell. */
  notExecutable: 126,
  /** The program of a run, its interpreter or its directory was not found. */
  programNotFound: 127,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

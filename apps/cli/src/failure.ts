import { type ExitCode, exitCodes } from "./exit-codes.ts";

interface FailureDetails {
  /** What to do, on a line of its own. */
  readonly hint?: string | null;
  /** The error code of the daemon, if it rejected the request. Default: the name of the exit code. */
  readonly code?: string;
  readonly field?: string | null;
  /** The message for a person, where that of `--json` has more, such as a code. */
  readonly text?: string;
}

/** An expected failure of a command: a message and an exit code. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | null;
  readonly code: string;
  readonly field: string | null;
  readonly text: string;

  constructor(exitCode: ExitCode, message: string, details: FailureDetails = {}) {
    super(message);
    this.name = "Failure";
    this.exitCode = exitCode;
    this.hint = details.hint ?? null;
    this.code = details.code ?? nameOfExit(exitCode);
    this.field = details.field ?? null;
    this.text = details.text ?? message;
  }
}

/** An error in the command line. */
export function usage(message: string, hint: string | null = null): Failure {
  return new Failure(exitCodes.usage, message, { hint });
}

/** In the form of the daemon's codes, so that `not_found` is one code, whoever noticed. */
function nameOfExit(exitCode: ExitCode): string {
  const name = Object.entries(exitCodes).find(([, code]) => code === exitCode)?.[0] ?? "failed";
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

import { type ExitCode, exitCodes } from "./exit-codes.ts";

interface FailureDetails {
  /** One more sentence: how to go on. */
  readonly hint?: string | null;
  /** The daemon's own word, where it refused. */
  readonly code?: string;
  readonly field?: string | null;
}

/** An expected end of a command: a sentence for the person, and the exit code. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | null;
  readonly code: string;
  readonly field: string | null;

  constructor(exitCode: ExitCode, message: string, details: FailureDetails = {}) {
    super(message);
    this.name = "Failure";
    this.exitCode = exitCode;
    this.hint = details.hint ?? null;
    this.code = details.code ?? nameOfExit(exitCode);
    this.field = details.field ?? null;
  }
}

/** A mistake in what was typed. */
export function usage(message: string, hint: string | null = null): Failure {
  return new Failure(exitCodes.usage, message, { hint });
}

function nameOfExit(exitCode: ExitCode): string {
  return Object.entries(exitCodes).find(([, code]) => code === exitCode)?.[0] ?? "failed";
}

import type { Context } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { Options, ValuesOf } from "./options.ts";

/** A word of the command line that is no option. */
export interface Argument {
  readonly name: string;
  readonly summary: string;
  readonly isOptional?: true;
}

export type ArgumentsOf<A extends readonly Argument[]> = {
  readonly [K in keyof A]: A[K] extends { readonly isOptional: true } ? string | undefined : string;
};

/** What a command is called with. */
interface Call<A extends readonly Argument[], O extends Options> extends Context {
  readonly args: ArgumentsOf<A>;
  readonly options: ValuesOf<O>;
  /** The words after `--`, where the command takes them. */
  readonly program: readonly string[];
}

export interface Definition<A extends readonly Argument[], O extends Options> {
  readonly arguments?: A;
  readonly options?: O;
  /** Whether a program and its arguments may follow `--`. */
  readonly takesProgram?: true;
  /** A paragraph of help below the summary. */
  readonly details?: string;
  /** Lines of the shell, each with what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** The exit code is 0 unless it says otherwise. */
  readonly run: (call: Call<A, O>) => Promise<ExitCode | undefined | void>;
}

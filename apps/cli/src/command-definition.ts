import type { AnyClient } from "./any-client.ts";
import type { Context } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { Options, ValuesOf } from "./options.ts";

/** A positional argument. */
export interface Argument {
  readonly name: string;
  readonly summary: string;
  readonly isOptional?: true;
  /** One or more values; only of the last argument. */
  readonly isMany?: true;
}

export type ArgumentsOf<A extends readonly Argument[]> = {
  readonly [K in keyof A]: A[K] extends { readonly isMany: true }
    ? readonly string[]
    : A[K] extends { readonly isOptional: true }
      ? string | undefined
      : string;
};

/** The parsed command line, and the context of the command. */
export interface Call<A extends readonly Argument[], O extends Options, C> extends Omit<Context, "connect"> {
  readonly connect: () => Promise<C>;
  readonly args: ArgumentsOf<A>;
  readonly options: ValuesOf<O>;
  /** The arguments after `--`, where the command accepts a program. */
  readonly program: readonly string[];
}

export interface Definition<A extends readonly Argument[], O extends Options, C = AnyClient> {
  readonly arguments?: A;
  readonly options?: O;
  /** Whether a program and its arguments may follow `--`. */
  readonly takesProgram?: true;
  /** Whether the command works only on the daemon's own machine. */
  readonly isLocal?: true;
  /** Explains an extra argument, which is then not repeated: it can be a secret. */
  readonly extraArgumentHint?: string;
  /** A paragraph of help after the options. */
  readonly details?: string;
  /** Shell commands, each with what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Returns the exit code; 0 if it returns none. */
  readonly run: (call: Call<A, O, C>) => Promise<ExitCode | undefined | void>;
}

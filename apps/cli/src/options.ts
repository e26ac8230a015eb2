import { formatDuration, parseDuration } from "@belfry/contract";
import { usage } from "./failure.ts";

/** One option of a command: how it is written, what it is for, and what its texts mean. */
export interface Option<T> {
  /** As commander reads it: `--cron <expression>`. */
  readonly flags: string;
  readonly summary: string;
  /** From every text it was given with, in order; a flag without a value has one empty text. */
  readonly read: (texts: readonly string[]) => T;
  /** Whether `--no-<name>` exists, which stands for null. */
  readonly isClearable: boolean;
  /** Where it stands in the help. */
  readonly heading?: string;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** What the options of a command came to; one that was not given is absent. */
export type ValuesOf<O extends Options> = {
  readonly [K in keyof O]?: (O[K] extends Option<infer T> ? T : never) | undefined;
};

export function flag(flags: string, summary: string): Option<true> {
  return { flags, summary, read: () => true, isClearable: false };
}

export function text(flags: string, summary: string): Option<string> {
  return { flags, summary, read: last, isClearable: false };
}

/** May be given many times. */
export function texts(flags: string, summary: string): Option<readonly string[]> {
  return { flags, summary: `${summary} (may be repeated)`, read: (all) => all, isClearable: false };
}

export function integer(
  flags: string,
  summary: string,
  { min, max }: { readonly min: number; readonly max: number },
): Option<number> {
  return {
    flags,
    summary,
    isClearable: false,
    read: (all) => {
      const value = /^-?\d{1,15}$/.test(last(all)) ? Number(last(all)) : Number.NaN;
      if (value >= min && value <= max) return value;
      throw usage(`${nameOf(flags)} is a whole number from ${min} to ${max}, not ${JSON.stringify(last(all))}`);
    },
  };
}

export function duration(flags: string, summary: string): Option<string> {
  return {
    flags,
    summary,
    isClearable: false,
    read: (all) => {
      const ms = parseDuration(last(all));
      if (ms !== null) return formatDuration(ms);
      throw usage(
        `${nameOf(flags)} is a number and one of ms, s, m, h, d, such as 90s, not ${JSON.stringify(last(all))}`,
      );
    },
  };
}

export function oneOf<const T extends string>(flags: string, summary: string, choices: readonly T[]): Option<T> {
  return {
    flags,
    summary: `${summary}: ${choices.join(", ")}`,
    isClearable: false,
    read: (all) => {
      const choice = choices.find((known) => known === last(all));
      if (choice !== undefined) return choice;
      throw usage(`${nameOf(flags)} is one of ${choices.join(", ")}, not ${JSON.stringify(last(all))}`);
    },
  };
}

/** The same option with a `--no-<name>` beside it that takes the member away. */
export function clearable<T>(option: Option<T>): Option<T | null> {
  return { ...option, isClearable: true };
}

/** The same options under a heading of their own. */
export function withHeading<O extends Options>(heading: string, options: O): O {
  // only the heading is added to each
  return Object.fromEntries(Object.entries(options).map(([key, option]) => [key, { ...option, heading }])) as O;
}

/** `--cron` of `--cron <expression>`. */
export function nameOf(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

function last(all: readonly string[]): string {
  return all.at(-1) ?? "";
}

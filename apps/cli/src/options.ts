import { type DurationText, formatDuration } from "@belfry/contract";
import { usage } from "./failure.ts";
import { explainDuration, readDuration } from "./input/duration.ts";

/** One option of a command: its flags, its help and how its values are parsed. */
export interface Option<T> {
  /** As commander reads it: `--cron <expression>`. */
  readonly flags: string;
  readonly summary: string;
  /** Parses every value that was given, in order; a flag has one empty value. */
  readonly read: (texts: readonly string[]) => T;
  /** Help of `--no-<name>`, which clears the value; absent where there is no such option. */
  readonly clearSummary?: string;
  /** Section of the help. */
  readonly heading?: string;
  /** May be given several times. */
  readonly isRepeatable?: true;
  /** What to do instead of giving the option twice. */
  readonly repeatHint?: string;
  /** All values, for the completion of a shell. */
  readonly choices?: readonly string[];
  /** Whether several of the choices can be given, with commas between them. */
  readonly isChoiceList?: true;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The parsed options of a command; an option that was not given is absent. */
export type ValuesOf<O extends Options> = {
  readonly [K in keyof O]?: (O[K] extends Option<infer T> ? T : never) | undefined;
};

export function flag(flags: string, summary: string): Option<true> {
  return { flags, summary, read: () => true };
}

export function text(flags: string, summary: string): Option<string> {
  return { flags, summary, read: last };
}

/** An option that can be repeated. */
export function texts(flags: string, summary: string): Option<readonly string[]> {
  return {
    flags,
    summary: summary.endsWith(")") ? `${summary.slice(0, -1)}; repeatable)` : `${summary} (repeatable)`,
    isRepeatable: true,
    read: (all) => all,
  };
}

export function integer(
  flags: string,
  summary: string,
  { min, max }: { readonly min: number; readonly max: number },
): Option<number> {
  return {
    flags,
    summary,
    read: (all) => {
      const value = /^-?\d{1,15}$/.test(last(all)) ? Number(last(all)) : Number.NaN;
      if (value >= min && value <= max) return value;
      throw usage(
        `invalid number ${JSON.stringify(last(all))} for ${nameOf(flags)}. Use a whole number from ${min} to ${max}`,
      );
    },
  };
}

/** `noneHint` is the advice for a `0` or `none`, where leaving the option out means none. */
export function duration(flags: string, summary: string, noneHint?: string): Option<DurationText> {
  return {
    flags,
    summary,
    read: (all) => {
      const ms = readDuration(last(all));
      if (ms !== null && (ms > 0 || noneHint === undefined)) return formatDuration(ms);
      throw usage(explainDuration(last(all), nameOf(flags)), isNone.test(last(all)) ? noneHint : null);
    },
  };
}

const isNone = /^\s*(?:0+\s*[a-z]*|none|never|off|no|unlimited|infinity)\s*$/i;

/** `choices` are listed in the help, with the default where there is one. */
export function oneOf<const T extends string>(
  flags: string,
  summary: string,
  { choices, byDefault }: { readonly choices: readonly T[]; readonly byDefault?: NoInfer<T> },
): Option<T> {
  return {
    flags,
    summary: `${summary}: ${choices.join(", ")}${byDefault === undefined ? "" : ` (default ${byDefault})`}`,
    choices,
    read: (all) => {
      const choice = choices.find((known) => known === last(all));
      if (choice !== undefined) return choice;
      throw usage(`invalid value ${JSON.stringify(last(all))} for ${nameOf(flags)}. Use one of ${choices.join(", ")}`);
    },
  };
}

/** A comma-separated list of `choices`, in the order in which they were given. */
export function oneOrMoreOf<const T extends string>(
  flags: string,
  summary: string,
  choices: readonly T[],
): Option<readonly T[]> {
  return {
    flags,
    summary: `${summary}: any of ${choices.join(", ")}`,
    choices,
    isChoiceList: true,
    read: (all) =>
      last(all)
        .split(",")
        .map((typed) => {
          const choice = choices.find((known) => known === typed.trim());
          if (choice !== undefined) return choice;
          throw usage(`invalid value ${JSON.stringify(typed)} for ${nameOf(flags)}. Use any of ${choices.join(", ")}`);
        }),
  };
}

/** Adds `--no-<name>`, which clears the value; `summary` is its help. */
export function clearable<T>(option: Option<T>, summary: string): Option<T | null> {
  return { ...option, clearSummary: summary };
}

/** The same options for a change, where an option that is not given changes nothing: without their defaults. */
export function forChange<O extends Options>(options: O): O {
  return mapOptions(options, (option) => ({ ...option, summary: withoutDefault(option.summary) }));
}

/** `code (default 0; repeatable)` becomes `code (repeatable)`. */
function withoutDefault(summary: string): string {
  return summary.replace(/\(default[^;)]*; /, "(").replace(/ \(default[^)]*\)/, "");
}

/** Says what to do instead of giving one of the options twice. */
export function withRepeatHint<O extends Options>(hint: string, options: O): O {
  return mapOptions(options, (option) => ({ ...option, repeatHint: hint }));
}

/** Lists the options in a section of the help. */
export function withHeading<O extends Options>(heading: string, options: O): O {
  return mapOptions(options, (option) => ({ ...option, heading }));
}

function mapOptions<O extends Options>(options: O, map: (option: Option<unknown>) => Option<unknown>): O {
  // only texts change, so each option keeps its type
  return Object.fromEntries(Object.entries(options).map(([key, option]) => [key, map(option)])) as O;
}

/** `--cron` of `--cron <expression>`. */
export function nameOf(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

function last(all: readonly string[]): string {
  return all.at(-1) ?? "";
}

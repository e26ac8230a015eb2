import { z } from "zod";
import { durationMaxMs, type DurationText, formatDuration, parseDuration } from "./duration.ts";
import { limits } from "./limits.ts";
import { numberBetween } from "./amounts.ts";
import { ofForm } from "./predicates.ts";

/** Makes a named schema that may be null. `.nullable()` loses the null of a named schema in the generated document. */
export function orNull<S extends z.ZodType>(schema: S): z.ZodUnion<readonly [S, z.ZodNull]> {
  return z.union([schema, z.null()]);
}

/**
 * Control characters, for a character class. They are written as ranges, because not every reader of the document
 * understands `\p{Cc}`.
 */
export const controlCharacters = String.raw`\u0000-\u001f\u007f-\u009f`;

const inName = `[^${controlCharacters}]`;
const edgeOfName = String.raw`[^\s${controlCharacters}]`;
/** A name before it is trimmed: the document describes the value that a client sends. */
const sentName = String.raw`^\s*${edgeOfName}(?:${inName}{0,${limits.nameCharactersMax - 2}}${edgeOfName})?\s*$`;
const controlCharacter = new RegExp(`[${controlCharacters}]`);

const keyForm = "bfk_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}";
const tokenForm = "bat_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}";
const keyOrToken = `${keyForm}|${tokenForm}`;
const containedKey = new RegExp(keyOrToken);
/** Matches a text that is a trigger's key and nothing else. */
export const wholeKey = new RegExp(`^${keyForm}$`);
/** Matches a text that is an access token and nothing else. */
export const wholeToken = new RegExp(`^${tokenForm}$`);

/**
 * Rejects a text that contains a trigger's key or an access token, without repeating it: for texts that every reader can
 * see.
 */
export function withoutKey<S extends z.ZodType<string>>(text: S): S {
  const refusal =
    "must not contain a trigger key or an access token, because anyone who reads it can use it: use another text, and rotate the key or replace the token";
  return text
    .refine((value) => !containedKey.test(value), refusal)
    .meta({ not: { type: "string", pattern: keyOrToken } });
}

/** A name: 1 to 200 characters after trimming, without control characters or a key. */
export const Name = withoutKey(
  z
    .string()
    .trim()
    .refine((name) => name !== "", "must not be empty")
    .refine(
      (name) => [...name].length <= limits.nameCharactersMax,
      `must have at most ${limits.nameCharactersMax} characters`,
    )
    .refine((name) => !controlCharacter.test(name), "must not contain control characters"),
).meta({
  id: "Name",
  description: `1 to ${limits.nameCharactersMax} characters after trimming, without control characters, and without a trigger's key or an access token`,
  pattern: sentName,
  examples: ["Nightly backup"],
});

const firstTime = "1970-01-01T00:00:00.000Z";
const lastTime = "9999-12-31T23:59:59.999Z";

/**
 * A time as RFC 3339. Output is UTC with milliseconds; input may have any offset, and the limits apply to the time in
 * UTC.
 */
export const Timestamp = z.iso
  .datetime({ offset: true, ...ofForm("must be an RFC 3339 time such as 2026-11-21T01:18:00Z") })
  .refine((text) => {
    const ms = Date.parse(text);
    return ms >= Date.parse(firstTime) && ms <= Date.parse(lastTime);
  }, "must be in the years 1970 to 9999")
  .meta({
    id: "Timestamp",
    description: "An RFC 3339 time: with any offset in requests, in UTC with milliseconds in responses",
    "x-minimum": firstTime,
    "x-maximum": lastTime,
    examples: ["2026-11-21T01:18:00.123Z"],
  });

const durations = ["30s", "1.5s", "12h"];
const anyDigits = /^\d+(\.\d+)?(ms|s|m|h|d)$/;
const durationForm = 'must be a number and a unit (ms, s, m, h or d) such as "30s"';

/** A number and a unit: `ms`, `s`, `m`, `h` or `d`. Output is canonical. */
export const Duration = z
  .string(ofForm(durationForm))
  .regex(/^\d{1,15}(\.\d{1,9})?(ms|s|m|h|d)$/, {
    error: ({ input }) =>
      anyDigits.test(String(input)) ? "must have at most 15 digits before the point and 9 after it" : durationForm,
  })
  .meta({
    id: "Duration",
    description: "A number and a unit: `ms`, `s`, `m`, `h` or `d`",
    examples: durations,
  }) as z.ZodType<string> as z.ZodType<DurationText, DurationText>;

/** Makes a duration within bounds, both included. */
export function durationBetween(minMs: number, maxMs: number = durationMaxMs, meaning: string | null = null) {
  const fits = (text: string): boolean => {
    const ms = parseDuration(text);
    return ms !== null && ms >= minMs && ms <= maxMs;
  };
  const fitting = durations.filter(fits);
  return Duration.refine(fits, { error: `must be between ${formatDuration(minMs)} and ${formatDuration(maxMs)}` }).meta(
    {
      description: `${meaning === null ? "Between" : `${meaning}, between`} ${formatDuration(minMs)} and ${formatDuration(maxMs)}`,
      "x-minimum": formatDuration(minMs),
      "x-maximum": formatDuration(maxMs),
      examples: fitting.length > 0 ? fitting : [formatDuration(minMs)],
    },
  );
}

/** An id in an answer. A request refers to a resource by `referenceTo`. */
export const ResourceId = z
  .string()
  .regex(/^[a-z]{3}_[0-9A-Za-z]{20}$/)
  .meta({
    id: "ResourceId",
    description: "An opaque identifier: do not parse it",
    examples: ["tsk_4fzH1TqWb8YkV0c2LxNd"],
  });

/** Increases by one each time a client changes the resource, however many values change at once. Counters, health and times of use do not change it. */
export const Revision = z.int().min(1).meta({
  id: "Revision",
  description:
    "Increases by one each time a client changes the resource, however many values change at once. Counters, health and times of use do not change it",
});

/** The form of `If-Match`: any revision, or the one of an `ETag`. */
export const ifMatchForm = /^(?:\*|"(\d+)")$/;

export const Description = z.string().max(limits.descriptionCharactersMax);

/** Makes a whole number from a query string, both bounds included. */
export function queryInteger(min: number, max: number) {
  const message = `must be ${numberBetween("a whole number", { minimum: min, maximum: max })}`;
  return z
    .string()
    .refine((text) => /^\d{1,16}$/.test(text), message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ type: "integer", minimum: min, maximum: max });
}

/** `limit` of a list, from a query string. */
export const Limit = queryInteger(1, limits.listMax);

/** Continues a list after the previous page; valid only for the same operation and filters. */
export const Cursor = z.string().min(1).max(limits.cursorCharactersMax);

/** `true` or `false` from a query string. */
export const QueryBoolean = z.enum(["true", "false"]).transform((text) => text === "true");

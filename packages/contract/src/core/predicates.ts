import { z } from "zod";
import { amountOf, type Bounds, numberBetween } from "./amounts.ts";
import { similarNames } from "./similar-names.ts";
import { isMemberOfResource } from "./written-resource.ts";

type RawIssue = z.core.$ZodRawIssue;
type OfCode<C extends RawIssue["code"]> = Extract<RawIssue, { readonly code: C }>;

/**
 * Describes what is wrong with a value, as a predicate: `must have at most 200 characters`. It covers every issue for
 * which the schema has no message of its own, so that no message comes from the library. `example` is an example of the
 * whole value.
 */
export function predicateOf(issue: RawIssue, example?: unknown): string {
  if (isMissing(issue)) return `is required${choicesOf(issue).length > 1 ? ` and ${mustBe(choicesOf(issue))}` : ""}`;
  const predicate: (issue: never, example: unknown) => string = predicates[issue.code];
  return predicate(issue as never, example);
}

/** A schema's own message for a value of the wrong form; its length is reported like that of any other. */
export function ofForm(predicate: string): { readonly error: (issue: RawIssue) => string | undefined } {
  return {
    error: ({ code, input }) =>
      input !== undefined && (code === "invalid_type" || code === "invalid_format") ? predicate : undefined,
  };
}

const predicates: { readonly [C in RawIssue["code"]]: (issue: OfCode<C>, example: unknown) => string } = {
  invalid_type: (issue, example) => `must be ${kindOf(issue, example)}`,
  invalid_value: (issue) => mustBe(choicesOf(issue)),
  too_small: sizeOf,
  too_big: sizeOf,
  unrecognized_keys: ({ keys, inst }) => unknownMember(keys[0]!, inst as z.core.$ZodType),
  // the nested schema reports more than the next three, and comes first
  invalid_union: (issue) =>
    choicesOf(issue).length > 0 ? mustBe(choicesOf(issue)) : "must have one of the documented forms",
  invalid_key: () => "must have a valid name",
  invalid_element: () => "must have a valid value",
  invalid_format: ({ pattern }) => `must match ${pattern ?? "its format"}`,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  custom: () => "must be a valid value",
};

/** A discriminated union reports an issue of the whole object: the missing member is its discriminator. */
function isMissing(issue: RawIssue): boolean {
  if (issue.code === "custom") return false;
  if (issue.code !== "invalid_union" || issue.discriminator === undefined) return issue.input === undefined;
  return (issue.input as Readonly<Record<string, unknown>>)[issue.discriminator] === undefined;
}

function choicesOf(issue: RawIssue): readonly string[] {
  if (issue.code === "invalid_value") return issue.values.map(String);
  const { code, options } = issue;
  return code === "invalid_union" && Array.isArray(options) ? options.map(String) : [];
}

function mustBe(choices: readonly string[]): string {
  return choices.length === 1 ? `must be ${choices[0]}` : `must be one of ${choices.join(", ")}`;
}

function kindOf(issue: OfCode<"invalid_type">, ofWhole: unknown): string {
  const schema = ownerOf(issue);
  const isWhole = issue.expected === "object" && (issue.path ?? []).length === 0;
  const example = exampleOf(schema) ?? (isWhole ? ofWhole : undefined);
  const such = example === undefined ? "" : ` such as ${inOneLine(example)}`;
  switch (issue.expected) {
    case "int":
    case "number":
      return rangeOf(schema);
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "array":
      return `an array${such}`;
    case "object":
    case "record":
      return `an object${such}`;
    default:
      return `a ${issue.expected}${such}`;
  }
}

function sizeOf(issue: OfCode<"too_small" | "too_big">): string {
  const schema = ownerOf(issue);
  if (issue.origin !== "string" && issue.origin !== "array") return `must be ${rangeOf(schema)}`;
  const length = lengthOf(schema);
  if (length.minimum === 1 && length.maximum === Infinity) return "must not be empty";
  return `must have ${amountOf(issue.origin === "string" ? "character" : "item", length)}`;
}

/** Reads the allowed length of a string or an array. */
function lengthOf(schema: z.core.$ZodType): Bounds {
  const checks = (schema._zod.def.checks ?? []).map((check) => check._zod.def as LengthCheck);
  const boundsOfAll = (name: string): number[] =>
    checks.filter(({ check }) => check === name).map(({ minimum, maximum }) => minimum ?? maximum ?? 0);
  return {
    minimum: Math.max(0, ...boundsOfAll("min_length")),
    maximum: Math.min(Infinity, ...boundsOfAll("max_length")),
  };
}

interface LengthCheck {
  readonly check: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Writes `a whole number from 1 to 99`. */
function rangeOf(schema: z.core.$ZodType): string {
  const { format, minValue, maxValue } = schema instanceof z.ZodNumber ? schema : {};
  const bounds = { minimum: minValue ?? -Infinity, maximum: maxValue ?? Infinity };
  return numberBetween(format === "safeint" ? "a whole number" : "a number", bounds);
}

function unknownMember(name: string, schema: z.core.$ZodType): string {
  if (isMemberOfResource(schema, name)) return "cannot be changed: it is read-only";
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return unknownName(name, { what: "member", known });
}

/** Describes an unknown name: suggests the nearest known one, or lists all of them. */
export function unknownName(name: string, of: { readonly what: string; readonly known: readonly string[] }): string {
  const [nearest] = similarNames(name, of.known, 1);
  return `is not a known ${of.what}: ${nearest === undefined ? listOf(of) : `did you mean ${nearest}?`}`;
}

function listOf({ what, known }: { readonly what: string; readonly known: readonly string[] }): string {
  if (known.length === 0) return `no ${what} is supported here`;
  return known.length === 1 ? `the only one is ${known[0]}` : `known ${what}s are ${known.join(", ")}`;
}

/** Returns the schema that the failed check belongs to. */
function ownerOf({ schema, inst }: RawIssue): z.core.$ZodType {
  return schema ?? (inst as z.core.$ZodType);
}

function exampleOf(schema: z.core.$ZodType): unknown {
  const { examples } = z.globalRegistry.get(schema) ?? {};
  return Array.isArray(examples) ? examples[0] : undefined;
}

/**
 * Writes `{"limit": 1, "on_conflict": "skip"}` in one line. A JSON string contains no line break, so every one here is
 * formatting.
 */
function inOneLine(json: unknown): string {
  return JSON.stringify(json, null, 1)
    .replaceAll(/,\n\s*/g, ", ")
    .replaceAll(/\n\s*/g, "");
}

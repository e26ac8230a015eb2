import type { Operation } from "@belfry/contract";
import type { z } from "zod";
import { AppError } from "../../kernel/errors.ts";
import { excerpt } from "../../kernel/redact.ts";

type Issue = z.core.$ZodIssue;

/** Path and query as the operation takes them; a member that none knows is refused. */
export function parseInput(
  operation: Operation,
  sent: { readonly params: unknown; readonly query: Readonly<Record<string, unknown>> },
) {
  const params = parse(operation.params, sent.params, "param") as Record<string, string> | undefined;
  const query = parse(operation.query, sent.query, "query") ?? {};
  return { params, query };
}

/** The value of a body as the operation takes it. */
export function parseJson(schema: z.ZodType, value: unknown): unknown {
  const body = parse(schema, value, "json");
  requireKeepable(value);
  return body;
}

/**
 * What a schema takes and nobody keeps as it was sent. Half of a surrogate pair is no text, and the database would keep a
 * replacement of it in silence; only an escape such as `\ud800` brings one, so a path or a query has none. A member
 * `__proto__` is dropped by the schema library, even as the name of an environment variable. The body is looked through as
 * it was sent, for it has no defaults then; what the schema took is no deeper than the schema.
 */
function requireKeepable(body: unknown): void {
  const found = findUnkeepable(body);
  if (found === null) return;
  const field = excerpt(found.path.join("."));
  throw new AppError("validation_failed", found.sentenceOf(field), { field });
}

interface Unkeepable {
  readonly path: readonly string[];
  readonly sentenceOf: (field: string) => string;
}

const halfPair = (field: string): string => `${field} must be text: it holds half of a surrogate pair`;
const prototype = (): string => "there is no member __proto__ here";

function findUnkeepable(value: unknown): Unkeepable | null {
  if (typeof value === "string") return value.isWellFormed() ? null : { path: [], sentenceOf: halfPair };
  if (typeof value !== "object" || value === null) return null;
  for (const name of Object.keys(value)) {
    if (name === "__proto__") return { path: [name], sentenceOf: prototype };
    if (!name.isWellFormed()) return { path: [name.toWellFormed()], sentenceOf: halfPair };
    const below = findUnkeepable((value as Readonly<Record<string, unknown>>)[name]);
    if (below !== null) return { ...below, path: [name, ...below.path] };
  }
  return null;
}

function parse(schema: z.ZodType | undefined, value: unknown, where: "param" | "query" | "json"): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (!result.success) throw refusalOf(result.error, where);
  return result.data;
}

/** The first thing that is wrong, with the dotted path of the member at fault and what to do about it. */
export function refusalOf(error: z.core.$ZodError, where: "param" | "query" | "json"): AppError {
  const issue = mostTelling(narrowest(error.issues)!);
  const path = [...issue.path, ...(issue.code === "unrecognized_keys" ? [issue.keys[0]!] : [])].map(String);
  const field = path.length === 0 ? null : excerpt(path.join("."));
  return new AppError("validation_failed", sentenceOf(issue, field, where), { field });
}

/** The first, but a whole number that is over its own bound may be over that of all whole numbers first. */
function narrowest(issues: readonly Issue[]): Issue | undefined {
  const [first, second] = issues;
  const isSameMember = second?.path.join(".") === first?.path.join(".");
  return first?.code === second?.code && first?.code.startsWith("too_") === true && isSameMember ? second : first;
}

/** A union says only that nothing fits: the branch that got furthest tells why. */
function mostTelling(issue: Issue, path: readonly PropertyKey[] = []): Issue & { readonly path: PropertyKey[] } {
  const here = [...path, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const furthest = issue.errors
      .map(narrowest)
      .filter((first) => first !== undefined)
      .sort((a, b) => rank(b) - rank(a))[0];
    if (furthest !== undefined) return mostTelling(furthest, here);
  }
  if (issue.code === "invalid_key" && issue.issues[0] !== undefined) return { ...issue.issues[0], path: here };
  return { ...issue, path: here };
}

function rank(issue: Issue): number {
  return issue.path.length * 10 + (issue.code === "invalid_type" ? 0 : 1);
}

function sentenceOf(issue: Issue, field: string | null, where: string): string {
  const subject = field ?? (where === "json" ? "the body" : where);
  if (issue.code === "unrecognized_keys" && issue.message.startsWith("Unrecognized key")) {
    const key = excerpt(issue.keys[0]!);
    return where === "query" ? `there is no query parameter ${key}` : `there is no member ${key} here`;
  }
  if (issue.code === "invalid_type") {
    return issue.message.endsWith("received undefined")
      ? `${subject} is required`
      : `${subject} must be ${article(issue.expected)}`;
  }
  if (issue.code === "invalid_value")
    return `${subject} must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
  if (issue.code === "invalid_union" && issue.discriminator !== undefined)
    return `${subject} must be one of the kinds the documentation names`;
  if (issue.code === "too_small" && issue.message.startsWith("Too small"))
    return `${subject} must ${amountOf(issue.origin, "at least", Number(issue.minimum))}`;
  if (issue.code === "too_big" && issue.message.startsWith("Too big"))
    return `${subject} must ${amountOf(issue.origin, "at most", Number(issue.maximum))}`;
  return /^(must|at most|is)\b/.test(issue.message) ? `${subject} ${issue.message}` : `${subject}: ${issue.message}`;
}

function amountOf(origin: string, bound: string, count: number): string {
  const unit = origin === "string" ? "character" : origin === "array" ? "item" : null;
  if (unit === null) return `be ${bound} ${count}`;
  return `have ${bound} ${count} ${unit}${count === 1 ? "" : "s"}`;
}

function article(expected: string): string {
  if (expected === "int") return "a whole number";
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

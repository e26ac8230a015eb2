import { type Fault, type Operation, parseBy } from "@belfry/contract";
import type { z } from "zod";
import { AppError } from "../../kernel/errors/errors.ts";
import { excerpt } from "../../kernel/log/redact.ts";

/** Parses path and query with the operation's schemas; an unknown member is rejected. */
export function parseInput(
  operation: Operation,
  sent: { readonly params: unknown; readonly query: Readonly<Record<string, unknown>> },
) {
  const params =
    operation.params && (parse(operation.params, sent.params, { name: "the path" }) as Record<string, string>);
  const query = operation.query === undefined ? {} : parse(operation.query, sent.query, { name: "the query" });
  return { params, query };
}

/** Parses a body with the operation's schema. The example appears in the error for a body that is no object. */
export function parseJson(schema: z.ZodType, value: unknown, example?: unknown): unknown {
  const body = parse(schema, value, { name: "the body", example });
  const fault = findUnstorable(value);
  if (fault !== null) throw refusalOf(fault, "the body");
  return body;
}

/** A value as a whole: its name in errors, and an example of it. */
interface Whole {
  readonly name: string;
  readonly example?: unknown;
}

function parse(schema: z.ZodType, value: unknown, { name, example }: Whole): unknown {
  const { data, fault } = parseBy(schema, value, example);
  if (fault !== null) throw refusalOf(fault, name);
  return data;
}

function refusalOf({ path, predicate }: Fault, whole: string): AppError {
  const field = path.length === 0 ? null : excerpt(path.join("."));
  const subject = field === null ? whole : quoteUnlessPlain(field);
  return new AppError("validation_failed", `${subject} ${predicate}`, { field });
}

/** Quotes an unusual member name, so that its end can be seen. */
export function quoteUnlessPlain(name: string): string {
  return /^[\p{L}\p{N}_.[\]…-]+$/u.test(name) ? name : JSON.stringify(name);
}

/**
 * Finds values that a schema accepts but that cannot be stored as sent. The database would silently replace an unpaired
 * surrogate. Only an escape such as `\ud800` makes one, so a path or a query has none. The schema library drops a
 * member `__proto__`, even as the name of an environment variable.
 *
 * The search uses the body as sent, which has no defaults yet. A body that the schema accepted is no deeper than the
 * schema.
 */
function findUnstorable(value: unknown): Fault | null {
  if (typeof value === "string") return value.isWellFormed() ? null : { path: [], predicate: unpairedSurrogate };
  if (typeof value !== "object" || value === null) return null;
  for (const name of Object.keys(value)) {
    if (name === "__proto__") return { path: [name], predicate: "is not allowed as a member name" };
    if (!name.isWellFormed()) return { path: [name], predicate: unpairedSurrogate };
    const below = findUnstorable((value as Readonly<Record<string, unknown>>)[name]);
    if (below !== null) return { ...below, path: [name, ...below.path] };
  }
  return null;
}

const unpairedSurrogate = "must not contain an unpaired surrogate";

import type { z } from "zod";
import { predicateOf } from "./predicates.ts";

type Issue = z.core.$ZodIssue;

/** The first thing that is wrong with a value. */
export interface Fault {
  /** The path to the invalid member; empty for the value itself. */
  readonly path: readonly string[];
  /** What is wrong, as a predicate whose subject is the member: `must not be empty`. */
  readonly predicate: string;
}

export type Parsed<T> = { readonly data: T; readonly fault: null } | { readonly data: null; readonly fault: Fault };

/**
 * Returns the parsed value, or its first fault in the words of this contract. If the value must be an object but is
 * not one, the fault shows the example.
 */
export function parseBy<S extends z.ZodType>(schema: S, value: unknown, example?: unknown): Parsed<z.output<S>> {
  const { success, data, error } = schema.safeParse(value, { error: (issue) => predicateOf(issue, example) });
  return success ? { data, fault: null } : { data: null, fault: faultOf(error.issues) };
}

function faultOf(issues: readonly Issue[]): Fault {
  const issue = mostUseful(issues);
  const named = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]!] : issue.path;
  return { path: named.map(String), predicate: issue.message };
}

/**
 * Returns the first issue. An unknown name comes before a missing member beside it: it may be that member, misspelled.
 */
function mostUseful(issues: readonly Issue[]): Issue {
  const [first] = issues as readonly [Issue, ...Issue[]];
  const unknown = issues.find(
    ({ code, path }) => code === "unrecognized_keys" && path.every((step, index) => first.path[index] === step),
  );
  return unfold(unknown ?? first);
}

/**
 * Replaces an issue of a union, which reports only that no branch matches, by the issue of the branch that got
 * furthest. Does the same for an invalid key.
 */
function unfold(issue: Issue): Issue {
  if (issue.code === "invalid_key") return { ...unfold(issue.issues[0]!), path: issue.path };
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return issue;
  const branches = issue.errors.filter((branch) => branch.length > 0).map(mostUseful);
  const [furthest] = branches.filter((branch) => !isNull(branch)).sort((one, other) => rank(other) - rank(one));
  if (furthest === undefined) return issue;
  const isOfKind =
    furthest.path.length === 0 && (furthest.code === "invalid_type" || furthest.code === "invalid_value");
  const orNull = isOfKind && branches.some(isNull) ? " or null" : "";
  return { ...furthest, path: [...issue.path, ...furthest.path], message: `${furthest.message}${orNull}` };
}

function isNull(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.expected === "null" && issue.path.length === 0;
}

function rank(issue: Issue): number {
  return issue.path.length * 10 + (issue.code === "invalid_type" ? 0 : 1);
}

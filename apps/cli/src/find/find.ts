import { isApiError } from "@belfry/client";
import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import { gather } from "../gather.ts";
import { asWritten } from "../output/hints.ts";
import { foldName, similarNames } from "@belfry/contract";

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** How to look up resources of one kind. */
export interface ResourceKind<T extends Named> {
  readonly noun: string;
  readonly idPrefix: string;
  readonly get: (id: string) => PromiseLike<T>;
  /** Resources whose name contains a text, or all of them. */
  readonly search: (part: string | null) => AsyncIterable<T>;
  /** The name after the name of its parent: `group/name`, or `/name` without a parent. */
  readonly pathOf: (item: T) => string;
}

/** Finds a resource by id, by name, or by path if the name is ambiguous. */
export async function find<T extends Named>(kind: ResourceKind<T>, typed: string): Promise<T> {
  const noun = kind.noun.replace("-", " ");
  const list = `List all ${noun}s with: belfry ${kind.noun} list`;
  const found = await tryFind(kind, typed).catch((error: unknown) => {
    if (!isApiError(error, "not_found")) throw error;
    throw new Failure(exitCodes.notFound, error.message, { hint: list });
  });
  if (found !== null) return found;
  const known = await gather(kind.search(null));
  const similar = similarNames(
    typed,
    // the name and the path of one item would be the same suggestion twice
    known.map((item) => (typed.includes("/") && !kind.pathOf(item).startsWith("/") ? kind.pathOf(item) : item.name)),
  );
  const hint =
    similar.length === 0 ? list : `Did you mean ${similar.map((name) => JSON.stringify(name)).join(" or ")}?`;
  throw new Failure(exitCodes.notFound, `there is no ${noun} ${JSON.stringify(typed)}`, { hint });
}

/** The same, but returns null if there is none. */
export async function tryFind<T extends Named>(kind: ResourceKind<T>, typed: string): Promise<T | null> {
  if (typed.trim() === "")
    throw usage(`the name of the ${kind.noun.replace("-", " ")} must not be empty: give a name or an id`);
  if (isIdOf(kind.idPrefix, typed)) return kind.get(typed);
  const items = await searchFor(kind, typed);
  const matches = items.filter((item) =>
    [item.name, kind.pathOf(item)].some((name) => foldName(name) === foldName(typed)),
  );
  // a name in another case is an alternative, but an exact one is what the user means
  const exact = matches.filter((item) => [item.name, kind.pathOf(item)].includes(typed));
  const chosen = exact.length > 0 ? exact : matches;
  if (chosen.length > 1) throw ambiguousName(kind, typed, chosen);
  return chosen[0] ?? null;
}

/** Lists all items that have this name or path, and others. */
export function searchFor<T extends Named>(kind: ResourceKind<T>, nameOrPath: string): Promise<readonly T[]> {
  // a path ends in the name, and both can contain slashes: the part after the last one is always in the name
  const part = nameOrPath.slice(nameOrPath.lastIndexOf("/") + 1).trim();
  return gather(kind.search(part === "" ? null : part.slice(0, 200)));
}

/** Tells by what each of these items is found: its name and its path, without those that another of them has too. */
export function findableBy<T extends Named>(
  items: readonly T[],
  pathOf: ResourceKind<T>["pathOf"],
): (item: T) => readonly string[] {
  const wordsOf = (item: T): readonly string[] => [...new Set([item.name, pathOf(item)])];
  const counts = new Map<string, number>();
  for (const word of items.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (item) => wordsOf(item).filter((word) => counts.get(word) === 1);
}

export function isIdOf(prefix: string, typed: string): boolean {
  return new RegExp(`^${prefix}_[0-9A-Za-z]{20}$`).test(typed);
}

function ambiguousName<T extends Named>(kind: ResourceKind<T>, typed: string, matches: readonly T[]): Failure {
  const lines = matches.slice(0, 10).map((item) => `  ${item.id}  ${asWritten(kind.pathOf(item))}`);
  return usage(
    `${JSON.stringify(typed)} is ambiguous: ${matches.length} ${kind.noun.replace("-", " ")}s have this name`,
    `Use one of these ids:\n${lines.join("\n")}`,
  );
}

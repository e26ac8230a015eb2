import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import { gather } from "../gather.ts";
import { foldName, similarNames } from "@belfry/contract";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** How resources of one kind are looked up. */
export interface Kind<T extends Named> {
  readonly noun: string;
  readonly idPrefix: string;
  readonly get: (id: string) => PromiseLike<T>;
  /** Those whose name holds a text; all without one. */
  readonly search: (part: string | null) => AsyncIterable<T>;
  /** The name with what it belongs to before it: `group/name`. */
  readonly pathOf: (item: T) => string;
}

/** The one that was meant: by id, by name, or by path where the name alone is not enough. */
export async function find<T extends Named>(kind: Kind<T>, typed: string): Promise<T> {
  const found = await tryFind(kind, typed);
  if (found !== null) return found;
  const known = await gather(kind.search(null));
  const near = similarNames(
    typed,
    known.flatMap((item) => [item.name, kind.pathOf(item)]),
  );
  const hint =
    near.length === 0
      ? `See them with: belfry ${kind.noun} list`
      : `Did you mean ${near.map((name) => JSON.stringify(name)).join(" or ")}?`;
  throw new Failure(exitCodes.notFound, `there is no ${kind.noun} ${JSON.stringify(typed)}`, { hint });
}

/** The same, with null where there is none. */
export async function tryFind<T extends Named>(kind: Kind<T>, typed: string): Promise<T | null> {
  if (typed.trim() === "") throw usage(`which ${kind.noun}? The name is empty`);
  if (isIdOf(kind.idPrefix, typed)) return kind.get(typed);
  // a path ends in the name, so what follows its last slash is a part of the name whatever holds slashes of its own
  const part = typed.slice(typed.lastIndexOf("/") + 1).trim();
  const items = await gather(kind.search(part === "" ? null : part.slice(0, 200)));
  const byName = items.filter((item) => foldName(item.name) === foldName(typed));
  const matches = byName.length > 0 ? byName : items.filter((item) => foldName(kind.pathOf(item)) === foldName(typed));
  if (matches.length > 1) throw refuseAmbiguous(kind, typed, matches);
  return matches[0] ?? null;
}

export function isIdOf(prefix: string, typed: string): boolean {
  return new RegExp(`^${prefix}_[0-9A-Za-z]{20}$`).test(typed);
}

function refuseAmbiguous<T extends Named>(kind: Kind<T>, typed: string, matches: readonly T[]): Failure {
  const lines = matches.slice(0, 10).map((item) => `  ${item.id}  ${kind.pathOf(item)}`);
  return usage(
    `${JSON.stringify(typed)} is the name of ${matches.length} ${kind.noun}s`,
    `Say which, by its id or its path:\n${lines.join("\n")}`,
  );
}

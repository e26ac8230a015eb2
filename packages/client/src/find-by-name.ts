import { BelfryError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { tracing } from "./stack-trace.ts";

interface Named {
  readonly id: string;
  readonly name: string;
  /** Only tasks have it; null in no group. */
  readonly group_name?: string | null;
}

/** The methods of resources with names. `q` lists those whose name contains a text. */
interface NamedResources<T extends Named> {
  list(query: { readonly q?: string | undefined }, options?: CallOptions): AsyncIterable<T>;
}

/** Finds the resource with exactly this name, or path of group and name; null if there is none. Throws if there are several. */
export function findByName<T extends Named>(
  resources: NamedResources<T>,
  typed: string,
  options?: CallOptions,
): Promise<T | null> {
  return tracing(find(resources, typed, options));
}

async function find<T extends Named>(
  resources: NamedResources<T>,
  typed: string,
  options?: CallOptions,
): Promise<T | null> {
  // a path ends in the name, and both can contain slashes: the part after the last one is always in the name
  const part = typed.split("/").at(-1)!;
  const found: T[] = [];
  // the query allows 200 characters
  for await (const item of resources.list({ q: part.slice(0, 200) || undefined }, options))
    if (item.name === typed || pathOf(item) === typed) found.push(item);
  if (found.length < 2) return found[0] ?? null;
  const places = found.map((item) => `${pathOf(item)} (${item.id})`).join(" or ");
  throw new BelfryError(`The name is ambiguous: use ${places}.`);
}

/** `/name` is in no group. */
function pathOf({ name, group_name }: Named): string {
  return group_name === undefined ? name : `${group_name ?? ""}/${name}`;
}

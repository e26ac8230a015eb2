import { invalid } from "./errors/errors.ts";

/** How names are compared: two that a person would call the same are the same. */
export function nameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

export interface NameScope {
  /** What has the name, with its article: `a task`. */
  readonly kind: string;
  readonly find: (nameKey: string) => { readonly id: string } | undefined;
  /** Where the name must be free: `in this group`. Everywhere, without it. */
  readonly place?: string;
}

/** The resource that is to have a name. */
export interface NameOwner {
  /** Null for a resource that is being created. */
  readonly id: string | null;
  /** The member of the request that contains the name. */
  readonly field?: string;
}

/** A name and the key it is compared by; refused with `validation_failed` when another resource of the scope has it. */
export function requireFreeName(
  name: string,
  { kind, find, place }: NameScope,
  { id, field = "name" }: NameOwner,
): { readonly name: string; readonly nameKey: string } {
  const key = nameKey(name);
  const other = find(key);
  if (other !== undefined && other.id !== id) {
    const where = place === undefined ? "" : ` ${place}`;
    throw invalid(field, `${kind} named ${JSON.stringify(name)} already exists${where}: choose another name`);
  }
  return { name, nameKey: key };
}

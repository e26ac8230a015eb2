import { invalid } from "./errors/errors.ts";

/** Returns the form in which names are compared. Names that a person would consider the same have the same form. */
export function nameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

export interface NameScope {
  /** What has the name, with its article: `a task`. */
  readonly kind: string;
  readonly find: (nameKey: string) => { readonly id: string } | undefined;
  /** The scope in which the name must be free: `in this group`. Without a scope, it must be free everywhere. */
  readonly place?: string;
  /** How to free the name. Default: choose another name. */
  readonly fix?: (other: { readonly id: string }) => string;
}

/** The resource that gets the name. */
export interface NameOwner {
  /** Null for a resource that is being created. */
  readonly id: string | null;
  /** The member of the request that contains the name. */
  readonly field?: string;
}

/**
 * Returns a name with the form in which it is compared. Throws `validation_failed` if another resource of the scope has
 * the name.
 */
export function requireFreeName(
  name: string,
  { kind, find, place, fix }: NameScope,
  { id, field = "name" }: NameOwner,
): { readonly name: string; readonly nameKey: string } {
  const key = nameKey(name);
  const other = find(key);
  if (other !== undefined && other.id !== id) {
    const where = place === undefined ? "" : ` ${place}`;
    throw invalid(
      field,
      `${kind} named ${JSON.stringify(name)} already exists${where}: ${fix?.(other) ?? "choose another name"}`,
    );
  }
  return { name, nameKey: key };
}

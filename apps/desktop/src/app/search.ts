/** The members of an address that are texts; others are left out. */
export function textOf<K extends string>(
  search: Record<string, unknown>,
  ...names: readonly K[]
): { readonly [N in K]?: string } {
  const found: Partial<Record<K, string>> = {};
  for (const name of names) {
    const value = search[name];
    // the router reads a number where a text is one
    if ((typeof value === "string" && value !== "") || typeof value === "number") found[name] = String(value);
  }
  return found;
}

/** A member of an address that is there or not. */
export function yes<K extends string>(search: Record<string, unknown>, name: K): { readonly [N in K]?: true } {
  return (search[name] === true || search[name] === "true" ? { [name]: true } : {}) as { readonly [N in K]?: true };
}

/** An address with another value of a member; without the member where the value is empty. */
export function withMember<S extends object>(search: S, name: keyof S, value: string | undefined): S {
  const next = { ...search };
  delete next[name];
  return value === undefined || value === "" ? next : { ...next, [name]: value };
}

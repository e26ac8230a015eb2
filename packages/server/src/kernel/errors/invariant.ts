/** Asserts a condition that is never false. If it is false, the request fails and the daemon continues. */
export function invariant(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(`broken invariant: ${what}`);
}

/** Ends an exhaustive switch: a new member of the union does not compile until the switch handles it. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

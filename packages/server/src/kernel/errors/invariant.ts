/** Asserts a condition that is never false. If it is false, the request fails and the daemon continues. */
export function invariant(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(`broken invariant: ${what}`);
}

/** For the end of an exhaustive switch: a new member of the union does not compile until it is handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

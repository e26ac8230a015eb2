type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the members that are undefined, so that what was not said is not sent. */
export function withoutUndefined<T extends object>(members: T): Defined<T> {
  // the filter is what the type says
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}

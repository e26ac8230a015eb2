type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes undefined members, so that options that are not given are not sent. */
export function withoutUndefined<T extends object>(members: T): Defined<T> {
  // the filter removes exactly what the type excludes
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}

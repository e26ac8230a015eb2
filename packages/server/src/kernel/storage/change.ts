/** How the columns of a table are reported: by the names of their members in the API. */
export interface Members {
  /** The member's name of each column whose name in snake case differs from it. */
  readonly names: Readonly<Record<string, string>>;
  /** Members whose former value is erased when it changes. */
  readonly sealed: ReadonlySet<string>;
}

/** Makes the members of a table. A column whose name ends in `Sealed` holds a secret. */
export function membersOf(names: Readonly<Record<string, string>>): Members {
  const sealed = Object.entries(names).filter(([column]) => column.endsWith("Sealed"));
  return { names: { nameKey: "name", ...names }, sealed: new Set(sealed.map(([, member]) => member)) };
}

/** Lists the members whose columns a change would alter. */
export function changedMembers<R extends object>(
  row: R,
  change: Partial<R>,
  { names }: Pick<Members, "names">,
): readonly string[] {
  const changed: string[] = [];
  for (const [column, value] of Object.entries(change)) {
    if (!isSame(value, (row as Readonly<Record<string, unknown>>)[column]))
      changed.push(names[column] ?? wireName(column));
  }
  return [...new Set(changed)];
}

function wireName(column: string): string {
  return column.replace(/Ms$/, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

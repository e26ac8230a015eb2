import type { TimelineRow } from "./rows.ts";

/** What stands below each other: the rows, and the name of each group before its first row. */
export type Line =
  | { readonly is: "heading"; readonly path: string; readonly isFolded: boolean }
  | { readonly is: "row"; readonly row: TimelineRow };

/** Puts the names of groups between their rows. A folded group hides everything below it. */
export function linesOf(rows: readonly TimelineRow[], folded: ReadonlySet<string> = new Set()): readonly Line[] {
  const lines: Line[] = [];
  let group = "";
  for (const row of rows) {
    const path = row.group_path ?? "";
    if (isBelow(path, folded)) continue;
    if (path !== group && path !== "") lines.push({ is: "heading", path, isFolded: folded.has(path) });
    group = path;
    if (!folded.has(path)) lines.push({ is: "row", row });
  }
  return lines;
}

function isBelow(path: string, folded: ReadonlySet<string>): boolean {
  return [...folded].some((above) => path.startsWith(`${above} / `));
}

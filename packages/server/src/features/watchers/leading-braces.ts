/**
 * Lists the alternatives of a pattern that begins with braces: `{*.csv,.env}` has `*.csv` and `.env`. The first character
 * of each decides whether it matches names that begin with a dot.
 */
export function splitLeadingBraces(pattern: string): readonly string[] {
  const group = pattern.startsWith("{") ? readGroup(pattern) : null;
  if (group === null) return [pattern];
  return group.alternatives.flatMap((alternative) => splitLeadingBraces(alternative + group.rest));
}

/** Null for braces that hold no alternatives, which are literal, or a range. */
function readGroup(pattern: string): { readonly alternatives: readonly string[]; readonly rest: string } | null {
  const alternatives: string[] = [];
  let depth = 0;
  let start = 1;
  for (const { 0: part, index } of pattern.matchAll(/\\.|[{},]/gs)) {
    if (part === "{") depth++;
    if (part === "," && depth === 1) {
      alternatives.push(pattern.slice(start, index));
      start = index + 1;
    }
    if (part !== "}" || --depth > 0) continue;
    if (alternatives.length === 0) return null;
    return { alternatives: [...alternatives, pattern.slice(start, index)], rest: pattern.slice(index + 1) };
  }
  return null;
}

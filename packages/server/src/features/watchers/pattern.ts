import picomatch from "picomatch";

// picomatch reads globs as shells do; a matcher of our own would have to agree with them in every corner. Without its extended
// globs and quantifiers, only asterisks repeat
const options = { windows: false, nonegate: true, noextglob: true, regex: false } as const;

/** Each further one multiplies the time for the worst name: 3 take 25 ms, 4 take a second. */
const asterisksMax = 3;

/** Why a pattern is refused, as a predicate; null for a valid one. */
export function findPatternFault(pattern: string): string | null {
  try {
    picomatch.makeRe(pattern, { ...options, debug: true });
  } catch {
    return "is not a valid glob: close its brackets and braces, or put a backslash before them";
  }
  return countAsterisks(pattern) > asterisksMax
    ? `has more than ${asterisksMax} asterisks in one alternative: use fewer, because one asterisk matches any text`
    : null;
}

/** Whether a file's name matches a pattern. Only a dot matches a dot at the start. */
export function compilePattern(pattern: string): (name: string) => boolean {
  return picomatch(pattern, options);
}

/** The most asterisks that one name is compared with: of the alternatives in braces, those of the longest. */
function countAsterisks(pattern: string): number {
  /** For each open brace, and for the whole: the count so far, and the highest of the finished alternatives. */
  const open = [{ here: 0, most: 0 }];
  for (const character of pattern.replaceAll(/\\./gs, "")) {
    const inner = open.at(-1)!;
    if (character === "*") inner.here++;
    if (character === "{") open.push({ here: 0, most: 0 });
    if (open.length === 1) continue;
    if (character === ",") open.splice(-1, 1, { here: 0, most: Math.max(inner.most, inner.here) });
    if (character !== "}") continue;
    open.pop();
    open.at(-1)!.here += Math.max(inner.most, inner.here);
  }
  return open.reduce((sum, { here, most }) => sum + Math.max(here, most), 0);
}

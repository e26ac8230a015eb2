import picomatch from "picomatch";
import { splitLeadingBraces } from "./leading-braces.ts";

// picomatch reads globs as shells do; a matcher of our own would have to agree with them in every corner. Its extended globs
// and quantifiers are off, so that only asterisks repeat
const options = { windows: false, posix: true, nonegate: true, noextglob: true, regex: false } as const;

/** Each further one multiplies the time for the worst name: 3 take 25 ms, 4 take a second. */
const asterisksMax = 3;

/** Why a pattern is refused, as a predicate; null for a valid one. */
export function findPatternFault(pattern: string): string | null {
  try {
    for (const part of partsOf(pattern)) picomatch.makeRe(part, { ...options, debug: true });
  } catch {
    return "is not a valid glob: close its brackets and braces, or put a backslash before them";
  }
  return countAsterisks(pattern) > asterisksMax
    ? `has more than ${asterisksMax} asterisks in one alternative: use fewer, because one asterisk matches any text`
    : null;
}

/** Whether a file's name matches a pattern. Only a dot matches a dot at the start. */
export function compilePattern(pattern: string): (name: string) => boolean {
  const parts = partsOf(pattern).map((part) => ({
    // for picomatch, brackets match a dot at the start
    canMatchDot: /^\\?\./.test(part),
    expression: picomatch.makeRe(part, options),
  }));
  return (name) => {
    const hasDot = name.startsWith(".");
    return parts.some(({ canMatchDot, expression }) => (canMatchDot || !hasDot) && expression.test(name));
  };
}

function partsOf(pattern: string): readonly string[] {
  return splitLeadingBraces(pattern)
    .filter((part) => part !== "")
    .map(withLiteralParentheses);
}

/** For picomatch parentheses make a group of a regular expression; names such as `report (1).csv` have them. */
function withLiteralParentheses(pattern: string): string {
  return pattern.replaceAll(/\\.|[()]/gs, (part) => (part.length > 1 ? part : `\\${part}`));
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

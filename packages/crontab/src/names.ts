import { limits } from "@belfry/contract";
import type { CrontabLine } from "./lines.ts";
import { parseJobLine } from "./job-line.ts";

/**
 * Names a job after the last line of the comment directly above it. A comment above another job is that job's alone.
 * Commented-out jobs, ASCII art and `m h dom` headings are ignored.
 */
export function nameFromComment(lines: readonly CrontabLine[], jobIndex: number): string | null {
  let index = jobIndex - 1;
  let name = commentText(lines[index]);
  if (name === null) return null;
  // a comment of several lines is one sentence: its first line is the best name
  for (
    let above = commentText(lines[index - 1]);
    above !== null && isContinuation(name, above);
    above = commentText(lines[index - 1])
  ) {
    name = above.replace(/^(.{12,}?)[,.;:]\s.*$/, "$1");
    index -= 1;
  }
  return name;
}

function isContinuation(line: string, above: string): boolean {
  return /^\p{Ll}/u.test(line) && above.length >= 40;
}

function commentText(line: CrontabLine | undefined): string | null {
  if (line?.kind !== "comment") return null;
  const text = line.text.trim();
  const isDecoration = /^[|.*]/.test(text) || /^m(in(ute)?)?\s+h(our)?\s/i.test(text);
  if (isDecoration || !("reason" in parseJobLine(text, "user"))) return null;
  const cleaned = text.replaceAll(/^[\s#=*~_-]+|[\s#=*~_:-]+$/g, "").replaceAll(/[\s\p{Cc}]+/gu, " ");
  return /\p{L}/u.test(cleaned) ? cleaned : null;
}

/** Makes names unique as the daemon compares them: the second of two equal names gets the suffix `-2`. */
export function uniqueNames(wanted: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return wanted.map((original) => {
    for (let count = 1; ; count += 1) {
      const suffix = count === 1 ? "" : `-${count}`;
      const name = `${Array.from(original)
        .slice(0, limits.nameCharactersMax - suffix.length)
        .join("")}${suffix}`;
      const key = name.normalize("NFC").toLowerCase();
      if (!taken.has(key)) {
        taken.add(key);
        return name;
      }
    }
  });
}

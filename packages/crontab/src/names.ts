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

/** A command of a shell line, and the operator after it. Quotes are ignored: this only finds a name. */
const step = /([^&|;\n]+)(&&|\|\||[&|;\n]|$)/g;
const guard = /^(?:(?:\[|test)\s+-x|command\s+-v)\s+(\S+)/;
const opening =
  /^(?:[\s({!]|if\s|then\s|do\s|[A-Za-z_]\w*=\S*\s|(?:exec|nice|ionice|nohup|sudo|time|env|chronic|-\S+)\s)+/;
const setup = /^(?:cd|test|\[|command|\.|source|set|export|umask|sleep|true|:)$/;

/** The main program of a command, after `cd`, `nice` and assignments. For `[ -x P ] && …` it is P. */
export function nameFromCommand(script: string): string {
  for (const [, text = "", operator] of script.matchAll(step)) {
    const simple = text.replace(opening, "").trim();
    const guarded = operator === "||" ? undefined : guard.exec(simple)?.[1];
    if (guarded !== undefined) return baseName(guarded);
    const [program = "", ...rest] = simple.split(/\s+/);
    if (program === "" || setup.test(program)) continue;
    return baseName(/(?:^|\/)run-parts$/.test(program) ? (rest.at(-1) ?? program) : program);
  }
  return baseName(script.trim().split(/\s+/)[0] ?? "");
}

function baseName(path: string): string {
  const bare = path.replaceAll(/["'`$(){}\p{Cc}]/gu, "").replace(/\/+$/, "");
  return bare.slice(bare.lastIndexOf("/") + 1) || "job";
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

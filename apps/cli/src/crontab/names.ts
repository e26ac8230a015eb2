import { limits } from "@belfry/contract";
import type { CrontabLine } from "./lines.ts";
import { parseJobLine } from "./job-line.ts";

/**
 * The comment a job stands under: the nearest line of the comment right above it. Other jobs may stand between, an
 * empty line or a setting may not. A job that was commented out, a drawing and a `m h dom` heading name nothing.
 */
export function nameFromComment(lines: readonly CrontabLine[], jobIndex: number): string | null {
  let index = jobIndex - 1;
  while (lines[index]?.kind === "job" || lines[index]?.kind === "invalid") index -= 1;
  let name = commentText(lines[index]);
  if (name === null) return null;
  // a long line that goes on in lower case is one sentence over several lines: how it begins names best
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
  const isDrawing = /^[|.*]/.test(text) || /^m(in(ute)?)?\s+h(our)?\s/i.test(text);
  if (isDrawing || !("reason" in parseJobLine(text, "user"))) return null;
  const words = text.replaceAll(/^[\s#=*~_-]+|[\s#=*~_:-]+$/g, "").replaceAll(/[\s\p{Cc}]+/gu, " ");
  return /\p{L}/u.test(words) ? words : null;
}

/** One step of a shell line and the operator after it; quotes are not read, this is only to find a name. */
const step = /([^&|;\n]+)(&&|\|\||[&|;\n]|$)/g;
const guard = /^(?:(?:\[|test)\s+-x|command\s+-v)\s+(\S+)/;
const opening =
  /^(?:[\s({!]|if\s|then\s|do\s|[A-Za-z_]\w*=\S*\s|(?:exec|nice|ionice|nohup|sudo|time|env|chronic|-\S+)\s)+/;
const setup = /^(?:cd|test|\[|command|\.|source|set|export|umask|sleep|true|:)$/;

/** The program a command is about, past `cd`, `nice` and assignments; of `[ -x P ] && …`, it is P. */
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

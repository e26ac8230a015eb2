import { parseEnvironmentLine } from "./environment-line.ts";
import { type CrontabForm, type JobTime, parseJobLine } from "./job-line.ts";

export type { CrontabForm, JobTime };

export interface EnvironmentLine {
  readonly kind: "environment";
  readonly number: number;
  readonly name: string;
  readonly value: string;
}

export interface JobLine {
  readonly kind: "job";
  readonly number: number;
  readonly time: JobTime;
  /** Of the system form. */
  readonly user: string | null;
  /** As written: `%` still has its meaning. */
  readonly command: string;
}

/** One line of a crontab, numbered from 1 as editors do. */
export type CrontabLine =
  | { readonly kind: "blank"; readonly number: number }
  | { readonly kind: "comment"; readonly number: number; readonly text: string }
  | EnvironmentLine
  | JobLine
  | { readonly kind: "invalid"; readonly number: number; readonly reason: string };

/** Reads a crontab as Debian's cron does: an environment setting is tried before a job. Every line is kept. */
export function parseCrontab(text: string, form: CrontabForm): readonly CrontabLine[] {
  const lines = text.split("\n");
  const unended = lines.pop() ?? "";
  const parsed = lines.map((line, index) => parseLine(line, index + 1, form));
  return unended === "" ? parsed : [...parsed, parseUnended(unended, parsed.length + 1, form)];
}

function parseUnended(line: string, number: number, form: CrontabForm): CrontabLine {
  const parsed = parseLine(line, number, form);
  if (parsed.kind === "blank" || parsed.kind === "comment") return parsed;
  const reason = "cron refuses a file whose last line does not end with a newline. Add one";
  return { kind: "invalid", number, reason };
}

function parseLine(line: string, number: number, form: CrontabForm): CrontabLine {
  const text = line.replace(/^[ \t]+/, "");
  if (text === "") return { kind: "blank", number };
  if (text.startsWith("#")) return { kind: "comment", number, text: text.slice(1) };
  const read = refuseCharacters(text) ?? parseEnvironmentLine(text) ?? refuseReturn(text) ?? parseJobLine(text, form);
  if ("reason" in read) return { kind: "invalid", number, reason: read.reason };
  return "time" in read ? { kind: "job", number, ...read } : { kind: "environment", number, ...read };
}

function refuseCharacters(text: string): { readonly reason: string } | null {
  if (text.includes("\0")) return { reason: "there is a NUL character in this line" };
  return text.startsWith("\u{FEFF}") ? { reason: "the file begins with a byte order mark. Save it without one" } : null;
}

/** cron hands it to the command, as the last character of its last word. */
function refuseReturn(text: string): { readonly reason: string } | null {
  return text.endsWith("\r")
    ? {
        reason:
          "this line has a Windows line ending (CRLF), and cron reads the CR as part of it. Remove it with: tr -d '\\r'",
      }
    : null;
}

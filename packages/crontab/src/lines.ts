import { parseEnvironmentLine } from "./environment-line.ts";
import { type CrontabForm, type JobTime, parseJobLine } from "./job-line.ts";

export type { CrontabForm, JobTime };

/** The most lines of a crontab in Debian's cron. */
export const linesMax = 10_000;

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
  /** Only in a system crontab. */
  readonly user: string | null;
  /** As written: `%` is not yet processed. */
  readonly command: string;
}

/** One line of a crontab, numbered from 1 as editors do. */
export type CrontabLine =
  | { readonly kind: "blank"; readonly number: number }
  | { readonly kind: "comment"; readonly number: number; readonly text: string }
  | EnvironmentLine
  | JobLine
  | { readonly kind: "invalid"; readonly number: number; readonly reason: string };

/** Parses a crontab like Debian's cron: a line is tried as a setting, then as a job. The result has every line. */
export function parseCrontab(text: string, form: CrontabForm): readonly CrontabLine[] {
  const lines = text.split("\n");
  const lastLine = lines.pop() ?? "";
  const parsed = lines.map((line, index) => parseLine(line, index + 1, form));
  return lastLine === "" ? parsed : [...parsed, parseLastLine(lastLine, parsed.length + 1, form)];
}

function parseLastLine(line: string, number: number, form: CrontabForm): CrontabLine {
  const parsed = parseLine(line, number, form);
  if (parsed.kind === "blank" || parsed.kind === "comment") return parsed;
  const reason = "the last line does not end with a newline, so cron rejects the file. Add a newline";
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
  if (text.includes("\0")) return { reason: "the line contains a NUL character. Remove it" };
  return text.startsWith("\u{FEFF}")
    ? { reason: "the file starts with a byte order mark. Save the file without it" }
    : null;
}

/** cron would pass the CR to the command, as the last character of its last argument. */
function refuseReturn(text: string): { readonly reason: string } | null {
  return text.endsWith("\r")
    ? {
        reason:
          "the line has a Windows line ending (CRLF), and cron treats the CR as part of the command. Remove the CR with: tr -d '\\r'",
      }
    : null;
}

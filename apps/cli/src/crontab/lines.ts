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

/** Reads a crontab as vixie cron and cronie do: an environment setting is tried before a job. Every line is kept. */
export function parseCrontab(text: string, form: CrontabForm): readonly CrontabLine[] {
  const lines = text.replace(/^\u{FEFF}/u, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => parseLine(line.replace(/\r$/, ""), index + 1, form));
}

function parseLine(line: string, number: number, form: CrontabForm): CrontabLine {
  const text = line.replace(/^[ \t]+/, "");
  if (text.trim() === "") return { kind: "blank", number };
  if (text.startsWith("#")) return { kind: "comment", number, text: text.slice(1) };
  const setting = parseEnvironmentLine(text);
  if (setting !== null) return { kind: "environment", number, ...setting };
  const job = parseJobLine(text, form);
  return "reason" in job ? { kind: "invalid", number, reason: job.reason } : { kind: "job", number, ...job };
}

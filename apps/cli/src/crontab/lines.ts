import { parseEnvironmentLine } from "./environment-line.ts";
import { parseJobLine } from "./job-line.ts";

/** `user` is what `crontab -l` prints; `system` has a user before the command, as in /etc/crontab and /etc/cron.d. */
export type CrontabForm = "user" | "system";

export type JobTime = { readonly kind: "cron"; readonly expression: string } | { readonly kind: "boot" };

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

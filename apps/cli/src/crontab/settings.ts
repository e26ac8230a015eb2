import { formatDuration, limits } from "@belfry/contract";
import type { EnvironmentLine } from "./lines.ts";

/** What the lines so far say about the jobs after them. */
export interface Settings {
  readonly environment: Readonly<Record<string, string>>;
  readonly shell: string;
  readonly home: string | null;
  readonly timeZone: string | null;
  readonly jitter: string;
}

export const initialSettings: Settings = {
  environment: {},
  shell: "/bin/sh",
  home: null,
  timeZone: null,
  jitter: "0s",
};

/** What became of one setting, in words, and the settings after it. */
interface Applied {
  readonly settings: Settings;
  readonly outcome: "taken" | "left_out" | "refused";
  readonly text: string;
}

const ofMail = /^(?:MAILTO|MAILFROM|CONTENT_TYPE|CONTENT_TRANSFER_ENCODING)$/;

/** One environment line of a crontab, with the meaning that cron itself gives to some names. */
export function applySetting(settings: Settings, line: EnvironmentLine): Applied {
  const leaveOut = (text: string): Applied => ({ settings, outcome: "left_out", text });
  const refuse = (text: string): Applied => ({ settings, outcome: "refused", text });
  if (ofMail.test(line.name))
    return leaveOut(`${line.name} is not carried over: output is kept with each run, not mailed`);
  if (line.name === "LOGNAME") return leaveOut("LOGNAME is not carried over: cron ignores it too, and sets its own");
  if (line.name === "CRON_TZ") return applyZone(settings, line, refuse);
  if (line.name === "RANDOM_DELAY") return applyDelay(settings, line, refuse);
  if (!/^[A-Za-z_]\w*$/.test(line.name))
    return refuse(
      `${JSON.stringify(line.name)} is not a name for a variable: use letters, digits and underscores, and no digit first`,
    );
  const environment = { ...settings.environment, [line.name]: line.value };
  return { settings: { ...settings, environment, ...placesOf(line) }, outcome: "taken", text: explain(line) };
}

function placesOf({ name, value }: EnvironmentLine): Partial<Settings> {
  if (name === "SHELL" && value !== "") return { shell: value };
  return name === "HOME" && value.startsWith("/") ? { home: value } : {};
}

function explain({ name }: EnvironmentLine): string {
  if (name === "SHELL") return "SHELL, which runs the commands";
  if (name === "HOME") return "HOME, where the commands start";
  if (name === "TZ") return "TZ, for the commands only: it does not change the times, as under cron";
  return name;
}

function applyZone(settings: Settings, line: EnvironmentLine, refuse: (text: string) => Applied): Applied {
  const timeZone = line.value.replace(/^:/, "");
  if (!isTimeZone(timeZone))
    return refuse(`CRON_TZ ${JSON.stringify(line.value)} is not a known time zone: use one such as Europe/Berlin`);
  const text = `the times are in ${timeZone}, as in cronie; Debian's cron ignores CRON_TZ`;
  return { settings: { ...settings, timeZone }, outcome: "taken", text };
}

function applyDelay(settings: Settings, line: EnvironmentLine, refuse: (text: string) => Applied): Applied {
  const delayMs = /^\d+$/.test(line.value) ? Number(line.value) * 60_000 : Number.NaN;
  if (!(delayMs <= limits.jitterMaxMs))
    return refuse(`RANDOM_DELAY ${JSON.stringify(line.value)} is not a number of minutes: use 0 to 1440`);
  const jitter = formatDuration(delayMs);
  return { settings: { ...settings, jitter }, outcome: "taken", text: `a jitter of up to ${jitter}` };
}

function isTimeZone(text: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

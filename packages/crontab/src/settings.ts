import { type DurationText, formatDuration, limits } from "@belfry/contract";
import type { EnvironmentLine } from "./lines.ts";

/** The settings so far, which apply to the jobs after them. */
export interface Settings {
  readonly environment: Readonly<Record<string, string>>;
  readonly shell: string;
  readonly home: string | null;
  readonly timeZone: string | null;
  readonly jitter: DurationText;
}

export const initialSettings: Settings = {
  environment: {},
  shell: "/bin/sh",
  home: null,
  timeZone: null,
  jitter: "0s",
};

/** The result for one setting, and the settings after it. */
interface Applied {
  readonly settings: Settings;
  readonly outcome: "taken" | "left_out" | "refused";
  readonly text: string;
}

const mailSetting = /^(?:MAILTO|MAILFROM|CONTENT_TYPE|CONTENT_TRANSFER_ENCODING)$/;

/** Applies one environment line of a crontab, with the meaning that cron gives to some names. */
export function applySetting(settings: Settings, line: EnvironmentLine): Applied {
  const leaveOut = (text: string): Applied => ({ settings, outcome: "left_out", text });
  const refuse = (text: string): Applied => ({ settings, outcome: "refused", text });
  if (mailSetting.test(line.name))
    return leaveOut(
      `${line.name} is not imported: Belfry keeps output with each run instead of mailing it. To be told of failures, add a channel with: belfry channel add. Then notify it with: belfry notify set`,
    );
  if (line.name === "LOGNAME") return leaveOut("LOGNAME is not imported: cron also ignores it, and sets its own value");
  if (line.name === "CRON_TZ") return applyZone(settings, line, refuse);
  if (line.name === "RANDOM_DELAY") return applyDelay(settings, line, refuse);
  if (!/^[A-Za-z_]\w*$/.test(line.name))
    return refuse(
      `${JSON.stringify(line.name)} is not a valid variable name. Use letters, digits and underscores, and do not start with a digit`,
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
  if (name === "HOME") return "HOME, also the working directory of the commands";
  if (name === "TZ")
    return "TZ, for the commands only: as under cron, it has no effect on the times at which the jobs start";
  return name;
}

function applyZone(settings: Settings, line: EnvironmentLine, refuse: (text: string) => Applied): Applied {
  const timeZone = line.value.replace(/^:/, "");
  if (!isTimeZone(timeZone))
    return refuse(`unknown time zone ${JSON.stringify(line.value)} in CRON_TZ. Use a name such as Europe/Berlin`);
  const text = `time zone ${timeZone}, as in cronie; Debian's cron ignores CRON_TZ`;
  return { settings: { ...settings, timeZone }, outcome: "taken", text };
}

function applyDelay(settings: Settings, line: EnvironmentLine, refuse: (text: string) => Applied): Applied {
  const delayMs = /^\d+$/.test(line.value) ? Number(line.value) * 60_000 : Number.NaN;
  if (!(delayMs <= limits.jitterMaxMs))
    return refuse(`invalid RANDOM_DELAY ${JSON.stringify(line.value)}. Use a number of minutes from 0 to 1440`);
  const jitter = formatDuration(delayMs);
  return {
    settings: { ...settings, jitter },
    outcome: "taken",
    text: `RANDOM_DELAY, as a jitter of up to ${jitter} for all schedules that follow`,
  };
}

function isTimeZone(text: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

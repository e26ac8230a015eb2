import { clearable, duration, flag, integer, oneOf, text, withHeading } from "../options.ts";
import { limits } from "@belfry/contract";

/** When a schedule falls due. */
export const timingOptions = withHeading("When:", {
  cron: text("--cron <expression>", 'five fields, or six with seconds first, or @daily: "0 3 * * *"'),
  every: duration("--every <duration>", "at a fixed rate: 5m"),
  at: text("--at <time>", 'once: "2026-12-01 03:00", "tomorrow 03:00", "in 2h"'),
  boot: flag("--boot", "once after each start of the machine"),
  tz: text("--tz <zone>", "of --cron: Europe/Berlin (the group's, else the daemon's)"),
});

/** What else can be said of one. */
export const scheduleOptions = withHeading("When:", {
  jitter: duration("--jitter <duration>", "wait a random time up to this (0s)"),
  missed: oneOf("--missed <policy>", "for times missed while the daemon was away", ["run_once", "run_all", "skip"]),
  missedWindow: duration("--missed-window <duration>", "older missed times get no run (1d)"),
  missedMax: integer("--missed-max <n>", "of run_all: the newest (100)", { min: 1, max: limits.misfireRunsMax }),
  dstGap: oneOf("--dst-gap <what>", "for a local time that does not exist that day", ["run_after", "skip"]),
  dstOverlap: oneOf("--dst-overlap <what>", "for a local time that comes twice that day", ["first", "both"]),
  startsAt: text("--starts-at <time>", "not due before"),
  endsAt: text("--ends-at <time>", "not due after"),
});

/** The same for a change, which can also take members away; the kind of a schedule stays. */
export const scheduleChanges = {
  cron: timingOptions.cron,
  every: timingOptions.every,
  at: timingOptions.at,
  tz: clearable(timingOptions.tz),
  ...scheduleOptions,
  startsAt: clearable(scheduleOptions.startsAt),
  endsAt: clearable(scheduleOptions.endsAt),
} as const;

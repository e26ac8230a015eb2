import { clearable, duration, flag, forChange, integer, oneOf, text, withHeading, withRepeatHint } from "../options.ts";
import { limits } from "@belfry/contract";

/** When a schedule runs. */
export const timingOptions = withHeading("When:", {
  cron: text(
    "--cron <expression>",
    'cron expression of five fields, or six with seconds first, or @daily: "0 3 * * *"',
  ),
  every: duration("--every <duration>", "run at a fixed interval, for example 5m"),
  at: text(
    "--at <time>",
    'run once at this time: "2026-12-01 03:00" (in the time zone of this machine), "tomorrow 03:00", "in 2h"',
  ),
  boot: flag("--boot", "run once after each boot of the machine"),
  tz: text("--tz <zone>", "time zone for --cron, for example Europe/Berlin (default: the group's, or the daemon's)"),
});

/** The same where a schedule is added. */
export const timingsToAdd = withRepeatHint("Add another schedule with: belfry schedule add", timingOptions);

/** The other options of a schedule. */
export const scheduleOptions = withHeading("When:", {
  jitter: duration("--jitter <duration>", "maximum random delay of each run (default 0s)"),
  spread: flag("--spread", "delay each run by a constant time, so that schedules with the same times start one by one"),
  missed: oneOf("--missed <policy>", "policy for times missed while the daemon was down or the machine asleep", {
    choices: ["run_once", "run_all", "skip"],
    byDefault: "run_once",
  }),
  missedWindow: duration("--missed-window <duration>", "skip missed times older than this (default 1d)"),
  missedMax: integer(
    "--missed-max <n>",
    "with --missed run_all: maximum number of missed times to run; older ones are dropped (default 100)",
    {
      min: 1,
      max: limits.misfireRunsMax,
    },
  ),
  dstGap: oneOf("--dst-gap <policy>", "policy for a local time that the clocks skip", {
    choices: ["run_after", "skip"],
    byDefault: "run_after",
  }),
  dstOverlap: oneOf("--dst-overlap <policy>", "policy for a local time that occurs twice", {
    choices: ["first", "both"],
    byDefault: "first",
  }),
  startsAt: text("--starts-at <time>", "do not run before this time; with --tz, a local time is in that zone"),
  endsAt: text("--ends-at <time>", "do not run after this time; with --tz, a local time is in that zone"),
});

/** The same for a change, with options that clear a value. The kind of a schedule cannot change. */
export const scheduleChanges = forChange({
  cron: timingOptions.cron,
  every: timingOptions.every,
  at: timingOptions.at,
  tz: clearable(timingOptions.tz, "clear the time zone"),
  ...scheduleOptions,
  spread: clearable(scheduleOptions.spread, "start at the scheduled times"),
  startsAt: clearable(scheduleOptions.startsAt, "remove the start time"),
  endsAt: clearable(scheduleOptions.endsAt, "remove the end time"),
});

import type { PreviewRequest, Schedule } from "@belfry/client";
import { withoutUndefined } from "../without-undefined.ts";
import { usage } from "../failure.ts";
import { type Reading, readTime } from "../input/time.ts";
import type { ValuesOf } from "../options.ts";
import type { scheduleChanges, scheduleOptions, timingOptions } from "./timing-options.ts";

type TimingValues = ValuesOf<typeof timingOptions>;
type ScheduleValues = ValuesOf<typeof scheduleOptions>;
/** A schedule without its task, as previews and imports need it. */
export type Timing = NonNullable<PreviewRequest["draft"]>;

/** The present time, and what is told of local times that occur twice. */
type Moment = Pick<Reading, "nowMs" | "note">;

/** The schedule that the options describe, or null if they describe none. */
export function readTiming(values: TimingValues & ScheduleValues, moment: Moment): Timing | null {
  const kinds = (["cron", "every", "at", "boot"] as const).filter((name) => values[name] !== undefined);
  if (kinds.length > 1)
    throw usage(
      `${kinds.map((name) => `--${name}`).join(" and ")} cannot be combined in one schedule`,
      "Use one of them, and add another schedule with: belfry schedule add",
    );
  refuseWithoutEffect(values, kinds);
  if (values.tz !== undefined && values.cron === undefined)
    throw usage("--tz requires --cron. For --at, write the offset in the time, for example 2026-12-01T03:00:00+01:00");
  const misfire = misfireOf(values);
  const shared = withoutUndefined({
    jitter: values.jitter,
    spread: values.spread,
    misfire: Object.keys(misfire).length === 0 ? undefined : misfire,
    ...boundsOf(values, { ...moment, zone: values.tz }),
  });
  if (values.cron !== undefined) {
    const dst = dstOf(values);
    return {
      kind: "cron",
      expression: values.cron,
      ...shared,
      ...withoutUndefined({ time_zone: values.tz, dst: Object.keys(dst).length === 0 ? undefined : dst }),
    };
  }
  if (values.every !== undefined) return { kind: "interval", every: values.every, ...shared };
  if (values.at !== undefined)
    return { kind: "once", at: readTime(values.at, { ...moment, direction: "future", option: "--at" }), ...shared };
  return values.boot === true ? { kind: "boot", ...shared } : null;
}

const scheduleFlags = {
  jitter: "--jitter",
  spread: "--spread",
  missed: "--missed",
  missedWindow: "--missed-window",
  missedMax: "--missed-max",
  dstGap: "--dst-gap",
  dstOverlap: "--dst-overlap",
  startsAt: "--starts-at",
  endsAt: "--ends-at",
} as const satisfies Readonly<Record<keyof ScheduleValues, string>>;

/** Refuses options that would change nothing about this schedule. */
function refuseWithoutEffect(values: TimingValues & ScheduleValues, kinds: readonly string[]): void {
  const given = Object.entries(scheduleFlags).filter(([key]) => values[key as keyof ScheduleValues] !== undefined);
  const [first] = given;
  if (kinds.length === 0 && first !== undefined)
    throw usage(`${first[1]} requires a schedule. Add --cron, --every, --at or --boot`);
  const ofCron = given.find(([key]) => key === "dstGap" || key === "dstOverlap");
  if (ofCron !== undefined && values.cron === undefined)
    throw usage(`${ofCron[1]} requires --cron: only cron schedules follow local times`);
  if (values.spread !== undefined && values.cron === undefined && values.every === undefined)
    throw usage(spreadRequirement, spreadHint);
  refuseWithoutMissed(values, null);
}

export const spreadRequirement = "--spread requires --cron or --every";
export const spreadHint = "To start a run later by a random time, use --jitter";

/**
 * Refuses options for missed times that the policy leaves without an effect. `kept` is the policy of a schedule that is
 * changed, and null for a new one.
 */
export function refuseWithoutMissed(
  { missed, missedMax, missedWindow }: Pick<ScheduleValues, "missed" | "missedMax" | "missedWindow">,
  kept: Schedule["misfire"]["policy"] | null,
): void {
  const policy = missed ?? kept ?? "run_once";
  const present = missed === undefined && kept !== null ? `, and this schedule has --missed ${kept}` : "";
  if (missedMax !== undefined && policy !== "run_all") throw usage(`--missed-max requires --missed run_all${present}`);
  if (missedWindow === undefined || policy !== "skip") return;
  throw usage(
    present === ""
      ? "--missed-window and --missed skip cannot be combined: no missed time runs, whatever its age"
      : `--missed-window requires --missed run_once or run_all${present}`,
  );
}

export function misfireOf(values: Pick<ScheduleValues, "missed" | "missedWindow" | "missedMax">) {
  return withoutUndefined({ policy: values.missed, window: values.missedWindow, max_runs: values.missedMax });
}

export function dstOf(values: Pick<ScheduleValues, "dstGap" | "dstOverlap">) {
  return withoutUndefined({ gap: values.dstGap, overlap: values.dstOverlap });
}

/** Local times are in the zone of the schedule, if it has its own. */
export function boundsOf(
  values: Pick<ValuesOf<typeof scheduleChanges>, "startsAt" | "endsAt">,
  moment: Moment & Pick<Reading, "zone">,
) {
  const read = (text: string | null | undefined, option: string) =>
    typeof text === "string" ? readTime(text, { ...moment, direction: "future", option }) : text;
  return withoutUndefined({
    starts_at: read(values.startsAt, "--starts-at"),
    ends_at: read(values.endsAt, "--ends-at"),
  });
}

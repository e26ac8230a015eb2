import type { Schedule, ScheduleCreate, SchedulePatch } from "@belfry/client";
import { formatTime } from "../../data/words.ts";
import { defaultName, hasOwnName, type Timing, timingBody, timingOf, timingPatch, emptyTiming } from "./timing.ts";

/** What the form of a schedule has. */
export interface ScheduleValues extends Timing {
  /** Empty for the name that the daemon makes from the times. */
  readonly name: string;
  readonly jitter: string;
  readonly missed: Schedule["misfire"]["policy"];
}

export const missedTexts = {
  run_once: "One run for all of them",
  run_all: "One run for each",
  skip: "No run",
} as const satisfies Record<ScheduleValues["missed"], string>;

/** What a form begins with: the schedule as it is, or the defaults of a new one. */
export function valuesOf(stored: Schedule | null): ScheduleValues {
  if (stored === null) return { ...emptyTiming, name: "", jitter: "0s", missed: "run_once" };
  return {
    ...timingOf(stored),
    name: hasOwnName(stored) ? stored.name : "",
    jitter: stored.jitter,
    missed: stored.misfire.policy,
  };
}

/** The members whose errors stand beside the fields that a kind has. */
export function fieldsOf(kind: Timing["kind"]): readonly string[] {
  const timing = { cron: ["expression", "time_zone"], interval: ["every"], once: ["at"], boot: [] }[kind];
  return ["name", ...timing, ...(kind === "boot" ? [] : ["jitter", "misfire"])];
}

export function createBody(taskId: string, values: ScheduleValues): ScheduleCreate {
  const name = values.name.trim();
  return {
    task_id: taskId,
    ...timingBody(values),
    ...(name === "" ? {} : { name }),
    ...(values.kind === "boot" ? {} : rulesPatch(valuesOf(null), values)),
  };
}

/** What differs from the schedule that is edited. */
export function patchBody(stored: Schedule, values: ScheduleValues): SchedulePatch {
  const before = valuesOf(stored);
  const name = values.name.trim();
  return {
    ...timingPatch(before, values),
    // a stored schedule always has a name: with the daemon's own, it follows its times again
    ...(name === before.name ? {} : { name: name === "" ? defaultName(values) : name }),
    ...rulesPatch(before, values, stored),
  };
}

function rulesPatch(
  before: ScheduleValues,
  { jitter, missed }: ScheduleValues,
  stored?: Schedule,
): Pick<SchedulePatch, "jitter" | "misfire"> {
  return {
    ...(jitter === before.jitter ? {} : { jitter: jitter.trim() as Schedule["jitter"] }),
    ...(missed === before.missed ? {} : { misfire: { ...stored?.misfire, policy: missed } }),
  };
}

/** A schedule by the labels of its form. */
export function describeDefinition(schedule: Schedule, zone: string): Readonly<Record<string, string>> {
  const { name, expression, time_zone: ownZone, every, at, misfire, jitter, enabled, paused } = schedule;
  return {
    Name: name,
    State: enabled ? (paused ? "paused" : "on") : "disabled",
    ...(expression === null ? {} : { Expression: expression }),
    ...(ownZone === null ? {} : { "Time zone": ownZone }),
    ...(every === null ? {} : { Every: every }),
    ...(at === null ? {} : { At: formatTime(Date.parse(at), zone) }),
    "Missed times": missedTexts[misfire.policy],
    "Random delay": jitter,
  };
}

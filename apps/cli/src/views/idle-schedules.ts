import type { Why } from "@belfry/client";
import { formatLocal } from "../output/time.ts";
import { printable } from "../output/width.ts";

type Explained = Why["schedules"][number];

/** The schedules that are paused or disabled now. An older daemon does not report it. */
export function idleSchedules({ schedules }: Why): readonly Explained[] {
  return schedules.filter(({ state = "enabled" }: Partial<Explained>) => state !== "enabled");
}

/** `0 3 * * * is paused now, until you resume it`. */
export function presentText({ schedule_name, state, paused_until: until }: Explained): string {
  const end = until === null ? `you ${verbOf(state)} it` : formatLocal(until);
  return `${printable(schedule_name)} is ${state} now, until ${end}`;
}

/** The command after which the schedule has runs again. */
export function startAgainText({ schedule_id, schedule_name, state }: Explained): string {
  const verb = verbOf(state);
  const title = `${verb[0]!.toUpperCase()}${verb.slice(1)}`;
  return `${title} schedule ${JSON.stringify(schedule_name)} with: belfry schedule ${verb} ${schedule_id}`;
}

function verbOf(state: Explained["state"]): "resume" | "enable" {
  return state === "paused" ? "resume" : "enable";
}

import type { PreviewRequest, Schedule, SchedulePatch } from "@belfry/client";
import { formatDuration, parseDuration } from "@belfry/contract";
import { formatTime } from "../../data/words.ts";

/** What a person has said so far of a schedule. */
export interface Timing {
  readonly kind: "cron" | "interval" | "once" | "boot";
  readonly expression: string;
  readonly zone: string;
  readonly every: string;
  /** Without a zone, as the browser's input has it. */
  readonly at: string;
}

export const emptyTiming: Timing = { kind: "cron", expression: "", zone: "", every: "", at: "" };

export type TimingBody = NonNullable<PreviewRequest["draft"]>;

export function isComplete({ kind, expression, every, at }: Timing): boolean {
  if (kind === "cron") return expression.trim() !== "";
  if (kind === "interval") return every.trim() !== "";
  return kind === "boot" || instantOf(at) !== null;
}

/** The moment that an input has; null while it is being typed, when it may be no day that there is. */
function instantOf(at: string): string | null {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The members of a complete schedule that say when it runs. The daemon checks them. */
export function timingBody({ kind, expression, zone, every, at }: Timing): TimingBody {
  switch (kind) {
    case "cron":
      return { kind, expression: expression.trim(), ...(zone.trim() === "" ? {} : { time_zone: zone.trim() }) };
    case "interval":
      return { kind, every: every.trim() } as TimingBody;
    case "once":
      return { kind, at: new Date(at).toISOString() };
    case "boot":
      return { kind };
  }
}

/** What a schedule says so far. */
export function timingOf({ kind, expression, time_zone: zone, every, at }: Schedule): Timing {
  return {
    kind,
    expression: expression ?? "",
    zone: zone ?? "",
    every: every ?? "",
    at: at === null ? "" : localInput(new Date(at)),
  };
}

/** The members of a schedule that differ. */
export function timingPatch(before: Timing, { expression, zone, every, at: typed }: Timing): SchedulePatch {
  const at = typed === before.at ? null : instantOf(typed);
  return {
    ...(expression === before.expression ? {} : { expression: expression.trim() }),
    ...(zone === before.zone ? {} : { time_zone: zone.trim() || null }),
    ...(every === before.every ? {} : ({ every: every.trim() } as SchedulePatch)),
    ...(at === null ? {} : { at }),
  };
}

/** A time as the browser's input has it, in the zone of this computer. */
function localInput(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The times of a schedule in short, in a zone. */
export function definitionOf({ kind, expression, every, at }: Schedule, zone: string): string {
  if (kind === "cron") return expression ?? "";
  if (kind === "interval") return `every ${every}`;
  return kind === "once" && at !== null ? `once at ${formatTime(Date.parse(at), zone)}` : "at boot";
}

/** The daemon names a schedule after its times, with a number if the name is taken. */
export function hasOwnName(schedule: Schedule): boolean {
  const { name, kind, at } = schedule;
  const made = kind === "once" ? `at ${at}` : defaultName(timingOf(schedule));
  return name !== made && !(name.startsWith(`${made} (`) && /^ \(\d+\)$/.test(name.slice(made.length)));
}

const nameMax = 150;

/** The name that the daemon gives a schedule with these times. */
export function defaultName({ kind, expression, every, at }: Timing): string {
  switch (kind) {
    case "cron": {
      const name = expression.trim().replaceAll(/\s+/g, " ");
      return name.length > nameMax ? `${name.slice(0, nameMax)}…` : name;
    }
    case "interval": {
      const ms = parseDuration(every.trim());
      return `every ${ms === null ? every.trim() : formatDuration(ms)}`;
    }
    case "once":
      return `at ${instantOf(at) ?? at}`;
    case "boot":
      return "at boot";
  }
}

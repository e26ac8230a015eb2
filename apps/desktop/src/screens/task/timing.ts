import type { PreviewRequest, Schedule, SchedulePatch } from "@belfry/client";

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
  return kind === "boot" || at !== "";
}

/** The members of a schedule that say when it runs. The daemon checks them. */
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
export function timingPatch(before: Timing, { expression, zone, every, at }: Timing): SchedulePatch {
  return {
    ...(expression === before.expression ? {} : { expression: expression.trim() }),
    ...(zone === before.zone ? {} : { time_zone: zone.trim() || null }),
    ...(every === before.every ? {} : ({ every: every.trim() } as SchedulePatch)),
    ...(at === before.at ? {} : { at: new Date(at).toISOString() }),
  };
}

/** A time as the browser's input has it, in the zone of this computer. */
function localInput(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The times of a schedule in short: its name too, unless it has one of its own. */
export function definitionOf({ kind, expression, every, at }: Schedule): string {
  if (kind === "cron") return expression ?? "";
  if (kind === "interval") return `every ${every}`;
  return kind === "once" ? `once at ${at}` : "at boot";
}

import type { PreviewRequest } from "@belfry/client";

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

import { capabilities, type Capability } from "@belfry/contract";
import type { Host } from "../host.ts";
import { readTime } from "../input/time.ts";
import { oneOf, type Option, text } from "../options.ts";

export function capabilityOption(summary: string): Option<Capability> {
  return oneOf("--capability <capability>", summary, { choices: capabilities });
}

export const expiresOption = text(
  "--expires <time>",
  'time from which the actor may do nothing, for example "in 90d" or 2027-01-01',
);

/** The time as the daemon reads it; null clears it. */
export function readExpires(typed: string | null | undefined, host: Host): string | null | undefined {
  if (typed === undefined || typed === null) return typed;
  return readTime(typed, { nowMs: host.now(), direction: "future", option: "--expires" });
}

import { parseDuration } from "@belfry/contract";
import { invariant } from "../errors/invariant.ts";

/** Parses a duration that the contract's schema has accepted. */
export function durationMs(text: string): number {
  const ms = parseDuration(text);
  invariant(ms !== null, "the contract's schema accepts only durations");
  return ms;
}

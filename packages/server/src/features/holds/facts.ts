import type { HoldCause } from "@belfry/contract";

export type HoldFact =
  | { readonly name: "hold.created"; readonly holdId: string }
  | { readonly name: "hold.updated"; readonly holdId: string; readonly changed: readonly string[] }
  /** The hold ends at this time. Its row is removed at the end of the write, after schedules have recorded what was held. */
  | { readonly name: "hold.ending"; readonly holdId: string; readonly cause: HoldCause; readonly at: number }
  | { readonly name: "hold.released"; readonly holdId: string };
export type HoldEnding = Extract<HoldFact, { name: "hold.ending" }>;

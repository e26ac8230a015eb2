import type { Run } from "@belfry/client";
import type { ReactNode } from "react";
import { isActive } from "../data/run-words.ts";
import { formatDuration } from "../data/words.ts";
import { Elapsed } from "./time.tsx";

/** How long a run took, or has taken until now. Null, as a table wants it, if it never started. */
export function runDuration({ state, started_at, duration_ms }: Run): ReactNode {
  if (isActive(state) && started_at !== null) return <Elapsed since={started_at} />;
  return duration_ms === null ? null : formatDuration(duration_ms);
}

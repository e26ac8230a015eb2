import type { Viewer } from "@belfry/contract";
import type { Instant } from "../../kernel/time/time.ts";

/** The question why a task ran or did not run at a time. The answer depends on who asks. */
export interface WhyQuestion {
  readonly taskId: string;
  readonly at: Instant;
  readonly now: Instant;
  readonly viewer: Viewer;
}

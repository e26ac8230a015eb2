import type { Clock } from "../kernel/time/clock.ts";
import type { Claims } from "./claims/claims.ts";
import type { HeldOutputs } from "./held-outputs.ts";
import type { RunnerLog } from "./log.ts";
import type { Cgroups } from "./processes/cgroups.ts";
import type { OpenFiles } from "./processes/limits.ts";
import type { Scanner } from "./processes/scanner.ts";
import type { Report } from "./protocol/messages.ts";
import type { PlanStart } from "./users/plan-start.ts";

/** The tools that all attempts of a runner share. */
export interface AttemptTools {
  readonly dataDir: string;
  readonly claims: Claims;
  readonly clock: Clock;
  /** Null if no cgroup is delegated to the runner. */
  readonly cgroups: Cgroups | null;
  readonly openFiles: OpenFiles;
  readonly scanner: Scanner;
  readonly planStart: PlanStart;
  readonly log: RunnerLog;
  readonly send: (report: Report) => void;
  /** Keeps the runner alive until the promise settles: until then, the attempt's output is open. */
  readonly hold: HeldOutputs["hold"];
  /** Whether folders that a start needs were removed. They are soon created again. */
  readonly arePlacesGone: () => boolean;
}

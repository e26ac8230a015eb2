import type { Clock } from "./kernel/time/clock.ts";
import type { Config } from "./kernel/config/config.ts";
import type { Log } from "./kernel/log/log.ts";

/** What a daemon is built of. */
export interface DaemonParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Names the machine's present boot. */
  readonly bootId: string;
  /** For tasks; the daemon's own is 077. */
  readonly umask: number;
  /** Soft limit of open files, for tasks: Node raises its own. Null where it is not known. */
  readonly openFilesMax?: number | null;
  /** Only where the process is the daemon's alone. */
  readonly overrideGlobalObjects?: boolean;
}

import type { Clock } from "./kernel/time/clock.ts";
import type { Config } from "./kernel/config/config.ts";
import type { Log } from "./kernel/log/log.ts";

/** The parts a daemon is made from. */
export interface DaemonParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Identifies the current boot of the machine. */
  readonly bootId: string;
  /** The id of this machine. Null or absent if it has none. */
  readonly machineId?: string | null;
  /** The umask of tasks; the daemon's own is 077. */
  readonly umask: number;
  /** The soft limit of open files for tasks, because Node raises its own limit. Null if it is unknown. */
  readonly openFilesMax?: number | null;
  /** Replaces the global Request and Response for speed: only in a process that runs nothing else. */
  readonly overrideGlobalObjects?: boolean;
}

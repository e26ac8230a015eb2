import type { Client } from "@belfry/client";
import type { Host } from "./host.ts";
import type { Output } from "./output/output.ts";

/** What every command is given. */
export interface Context {
  readonly argv: readonly string[];
  readonly host: Host;
  readonly out: Output;
  /** What was said of the daemon's location. */
  readonly location: DaemonLocation;
  /** The daemon, found by `location`; nothing is sent before the first call. */
  readonly connect: () => Promise<Client>;
}

export interface DaemonLocation {
  readonly socket: string | null;
  readonly dataDir: string | null;
}

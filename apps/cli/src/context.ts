import type { Client } from "@belfry/client";
import type { Host } from "./host.ts";
import type { Output } from "./output/output.ts";

/** The environment of every command. */
export interface Context {
  readonly argv: readonly string[];
  readonly host: Host;
  readonly out: Output;
  /** Where to find the daemon, according to the options. */
  readonly location: DaemonLocation;
  /** A client of the daemon. It connects at the first call. */
  readonly connect: () => Promise<Client>;
}

export interface DaemonLocation {
  readonly socket: string | null;
  readonly dataDir: string | null;
}

import type { Client } from "@belfry/client";
import type { AnyClient } from "./any-client.ts";
import type { DaemonLocation } from "./daemon-location.ts";
import type { Host } from "./host.ts";
import type { Output } from "./output/output.ts";

/** The environment of every command. */
export interface Context {
  readonly argv: readonly string[];
  readonly host: Host;
  readonly out: Output;
  /** Where to find the daemon, according to the options. */
  readonly location: DaemonLocation;
  /** The profile of a daemon on another machine that is in use; null for the daemon on this machine. */
  readonly profile: () => string | null;
  /** The value of --request-timeout, or null. */
  readonly timeoutMs: number | null;
  /** A client of the daemon. It connects at the first call. */
  readonly connect: () => Promise<AnyClient>;
  /** A client of the daemon that other options would choose. */
  readonly connectTo: (location: DaemonLocation) => Promise<AnyClient>;
  /** The same with the operations that only the daemon's own machine has; null if a profile of another machine is in use. */
  readonly connectLocal: () => Promise<Client | null>;
}

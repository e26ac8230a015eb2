import type { Client } from "@belfry/client";
import type { Host } from "./host.ts";
import type { Output } from "./output/output.ts";

/** What every command is given. */
export interface Context {
  readonly argv: readonly string[];
  readonly host: Host;
  readonly out: Output;
  /** What was said of the daemon's place. */
  readonly place: Place;
  /** The daemon, found by `place`; nothing is sent before the first call. */
  readonly connect: () => Promise<Client>;
}

export interface Place {
  readonly socket: string | null;
  readonly dataDir: string | null;
}

import type { Client } from "@belfry/client";
import { connectLocal, dataDirFromEnv, socketPathFromEnv, socketPathOf } from "@belfry/client/local";
import { resolve } from "node:path";
import type { DaemonLocation } from "./context.ts";
import type { Host } from "./host.ts";

/** A client of the daemon that the command line, or else the environment, names. A person waits, so nothing is tried twice. */
export function connect(location: DaemonLocation, host: Host, timeoutMs: number | null): Client {
  return connectLocal({
    socketPath: socketPathFor(location, host),
    retries: 0,
    ...(timeoutMs === null ? {} : { timeoutMs }),
  });
}

/** As the daemon chooses it: a socket that is named, by option or environment, stands before a data directory. */
export function socketPathFor(location: DaemonLocation, host: Host): string {
  const named = location.socket ?? host.environment["BELFRY_SOCKET"];
  if (named) return resolve(named);
  return location.dataDir === null
    ? resolve(socketPathFromEnv(host.environment))
    : socketPathOf(resolve(location.dataDir));
}

/** The data directory that was named, or the platform's. Null where only a socket was named: its daemon may keep its data anywhere. */
export function dataDirFor(location: DaemonLocation, host: Host): string | null {
  if (location.dataDir !== null) return resolve(location.dataDir);
  const { BELFRY_SOCKET: socket, BELFRY_DATA_DIR: dataDir } = host.environment;
  const isSocketAlone = Boolean(location.socket ?? socket) && !dataDir;
  return isSocketAlone ? null : resolve(dataDirFromEnv(host.environment));
}

import { type Client, createClient } from "@belfry/client";
import { dataDirFromEnv, firstSocket, localTransport, socketPathOf, socketPathsFromEnv } from "@belfry/client/local";
import { resolve } from "node:path";
import type { DaemonLocation } from "./daemon-location.ts";
import type { Host } from "./host.ts";

/** A client of the daemon that the options or the environment name. It does not retry, because a person is waiting. */
export function connect(location: DaemonLocation, host: Host, timeoutMs: number | null): Client {
  const paths = socketPathsFor(location, host);
  return createClient({
    transport: localTransport(() => paths),
    retries: 0,
    ...(timeoutMs === null ? {} : { timeoutMs }),
  });
}

export function socketPathFor(location: DaemonLocation, host: Host): string {
  return firstSocket(socketPathsFor(location, host));
}

/** A socket, by option or environment, wins over a data directory, as in the daemon. */
export function socketPathsFor(location: DaemonLocation, host: Host): readonly string[] {
  const configured = location.socket ?? host.environment["BELFRY_SOCKET"];
  if (configured) return [resolve(configured)];
  if (location.dataDir !== null) return [socketPathOf(resolve(location.dataDir))];
  return socketPathsFromEnv(host.environment).map((path) => resolve(path));
}

/** The given data directory, or the default one. Null if only a socket is given: its daemon can use any directory. */
export function dataDirFor(location: DaemonLocation, host: Host): string | null {
  if (location.dataDir !== null) return resolve(location.dataDir);
  const { BELFRY_SOCKET: socket, BELFRY_DATA_DIR: dataDir } = host.environment;
  const isSocketAlone = Boolean(location.socket ?? socket) && !dataDir;
  return isSocketAlone ? null : resolve(dataDirFromEnv(host.environment));
}

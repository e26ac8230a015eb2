import { type Client, createClient } from "./create-client.ts";
import type { ClientOptions } from "./options.ts";
import { localTransport } from "./transports/local-ipc.ts";
import { socketPathFromEnv } from "./transports/socket-path.ts";

/** How all calls of a local client behave, and where its daemon is. */
export interface LocalOptions extends Omit<ClientOptions, "transport"> {
  /** Where the daemon listens; found by the environment unless given. */
  readonly socketPath?: string | undefined;
}

/**
 * A client of the daemon on this machine.
 *
 * ```ts
 * const client = connectLocal();
 * console.log(await client.health.get());
 * ```
 */
export function connectLocal({ socketPath, ...options }: LocalOptions = {}): Client {
  return createClient({ ...options, transport: localTransport(socketPath ?? (() => socketPathFromEnv())) });
}

export { localTransport } from "./transports/local-ipc.ts";
export { dataDirFromEnv, socketPathFromEnv, socketPathOf } from "./transports/socket-path.ts";

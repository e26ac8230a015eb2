import { type Client, createClient } from "./create-client.ts";
import type { ClientOptions } from "./options.ts";
import { localTransport } from "./transports/local-ipc.ts";
import { socketPathsFromEnv } from "./transports/socket-path.ts";

/** The options of a local client: defaults for all calls, and the daemon's socket. */
export interface LocalOptions extends Omit<ClientOptions, "transport"> {
  /** The path of the daemon's socket. Default: {@link socketPathsFromEnv}, read before each request. */
  readonly socketPath?: string | undefined;
}

/**
 * Creates a client for the daemon on this machine.
 *
 * ```ts
 * const client = connectLocal();
 * console.log(await client.health.get());
 * ```
 */
export function connectLocal({ socketPath, ...options }: LocalOptions = {}): Client {
  return createClient({ ...options, transport: localTransport(socketPath ?? (() => socketPathsFromEnv())) });
}

export { localTransport } from "./transports/local-ipc.ts";
export {
  dataDirFromEnv,
  firstSocket,
  socketPathFromEnv,
  socketPathOf,
  socketPathsFromEnv,
} from "./transports/socket-path.ts";

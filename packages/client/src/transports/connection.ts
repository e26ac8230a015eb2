import { Agent, type ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import { ConnectionError } from "../errors.ts";
import type { Address } from "./address.ts";
import { exchangeOver } from "./http-exchange.ts";
import type { Transport } from "./transport.ts";

type OnSocket = (error: Error | null, socket: Duplex) => void;

/** Keeps one socket between requests. It never opens another, which would not be verified. */
class SocketAgent extends Agent {
  readonly #socket: Duplex;
  #isTaken = false;

  constructor(socket: Duplex) {
    super({ keepAlive: true, maxSockets: 1 });
    this.#socket = socket;
  }

  override createConnection(_options: ClientRequestArgs, onSocket: OnSocket): Duplex | undefined {
    if (!this.#isTaken && !this.#socket.destroyed) {
      this.#isTaken = true;
      return this.#socket;
    }
    process.nextTick(onSocket, new ConnectionError("The connection to the daemon was closed. Nothing was sent."));
    return undefined;
  }
}

/** A connection to a server that has proved to be the daemon. It carries one request at a time. */
export class Connection {
  readonly address: Address;
  readonly #socket: Duplex;
  readonly #agent: SocketAgent;

  constructor(socket: Duplex, address: Address) {
    this.address = address;
    this.#socket = socket;
    this.#agent = new SocketAgent(socket);
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  /** Calls the listener when the connection closes. */
  onClose(listener: () => void): void {
    this.#socket.once("close", listener);
  }

  close(): void {
    this.#socket.destroy();
  }

  /**
   * Sends requests over this connection, with an access token if one is given. A request that got the socket counts as
   * sent: the server may have closed the connection at the same moment, and nobody can know what it read before.
   */
  transport(accessToken: string | null, onEnd?: () => void): Transport {
    const { host, port, text } = this.address;
    return {
      baseUrl: `https://${text}/api`,
      fetch: (request) =>
        exchangeOver(request, {
          options: { host, port, agent: this.#agent, headers: headersOf(request, accessToken) },
          sentOnce: "assigned",
          explain: (error) =>
            error instanceof ConnectionError ? error : new ConnectionError(error.message, { cause: error }),
          ...(onEnd === undefined ? {} : { onClose: onEnd }),
        }),
    };
  }
}

/** The token is not added to the request itself, because hooks of the caller get that request. */
function headersOf(request: Request, accessToken: string | null): Readonly<Record<string, string>> {
  const { authorization: _, ...headers } = Object.fromEntries(request.headers);
  return accessToken === null ? headers : { ...headers, authorization: `Bearer ${accessToken}` };
}

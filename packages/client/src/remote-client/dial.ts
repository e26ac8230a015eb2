import { AbortError, type BelfryError, ConnectionError, TimeoutError } from "../errors.ts";
import { type Address, parseAddress } from "../transports/address.ts";
import { Connection } from "../transports/connection.ts";
import { openTls } from "../transports/open-tls.ts";
import { createPin, type Pin } from "../transports/pin.ts";
import { TrustError } from "../trust-errors.ts";
import type { RemoteTrust } from "./profile.ts";

/** Where a daemon may be, and how to recognize it. */
export interface DialOptions {
  readonly addresses: readonly string[];
  readonly daemonId: string;
  readonly trust: RemoteTrust;
  /** Time limit for each address, in milliseconds. */
  readonly timeoutMs: number;
  /** Checks the daemon over a connection that is open. */
  readonly check: (connection: Connection) => Promise<void>;
  readonly onUntrustedAddress?: ((error: TrustError) => void) | undefined;
}

/**
 * Finds the daemon at one of its addresses. The addresses are tried in order, and the one that answered last comes first.
 *
 * An address of a private network may belong to another machine in the network where the client is now. So an address
 * whose server is not the daemon is reported, and the next one is tried; nothing was sent to that server. It is not tried
 * again until no other address is left. Failures of the daemon itself, such as another identity, end the search.
 */
export class Dialer {
  readonly #options: DialOptions;
  readonly #pin: Pin;
  #addresses: readonly Address[];
  readonly #untrusted = new Map<Address, TrustError>();

  constructor(options: DialOptions) {
    this.#options = options;
    this.#pin = createPin(options.trust, options.daemonId);
    this.#addresses = options.addresses.map(parseAddress);
  }

  /** Opens a connection and checks the daemon. If it rejects, no request of the caller was sent. */
  async open(signal: AbortSignal): Promise<Connection> {
    if (this.#untrusted.size === this.#addresses.length) this.#untrusted.clear();
    const unreachable: BelfryError[] = [];
    for (const address of this.#addresses.filter((candidate) => !this.#untrusted.has(candidate))) {
      try {
        const connection = await this.#openAt(address, signal);
        this.#addresses = [address, ...this.#addresses.filter((other) => other !== address)];
        return connection;
      } catch (error) {
        if (error instanceof TrustError) this.#distrust(address, error);
        else if (error instanceof ConnectionError || error instanceof TimeoutError) unreachable.push(error);
        else throw error;
      }
    }
    throw this.#explain(unreachable);
  }

  async #openAt(address: Address, signal: AbortSignal): Promise<Connection> {
    const { timeoutMs, check } = this.#options;
    const connection = new Connection(await openTls(address, { pin: this.#pin, timeoutMs, signal }), address);
    const close = () => connection.close();
    signal.addEventListener("abort", close);
    try {
      await check(connection);
      return connection;
    } catch (error) {
      connection.close();
      throw signal.aborted ? new AbortError(signal) : error;
    } finally {
      signal.removeEventListener("abort", close);
    }
  }

  #distrust(address: Address, error: TrustError): void {
    // calls that started together may all find the same server
    const isNews = !this.#untrusted.has(address);
    this.#untrusted.set(address, error);
    if (isNews) this.#options.onUntrustedAddress?.(error);
  }

  /** An address that may answer again makes the failure temporary. */
  #explain(unreachable: readonly BelfryError[]): BelfryError {
    const untrusted = [...this.#untrusted.values()];
    const all = [...unreachable, ...untrusted];
    const [first] = all;
    if (first === undefined || all.length === 1) return first ?? new ConnectionError("No address is left to try.");
    const message = all.map((error) => error.message).join(" ");
    if (first instanceof TrustError)
      return new TrustError(message, { address: first.address, code: first.code, cause: first });
    const code = first instanceof ConnectionError ? (first.code ?? undefined) : undefined;
    return new ConnectionError(message, { code, cause: first });
  }
}

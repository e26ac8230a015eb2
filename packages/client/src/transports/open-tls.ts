import { connect, type TLSSocket } from "node:tls";
import { AbortError, type BelfryError, ConnectionError } from "../errors.ts";
import type { Address } from "./address.ts";
import { type Pin, tlsVersion } from "./pin.ts";
import { explainTrustFailure } from "./trust-failure.ts";

/** How to open a connection. */
export interface OpenOptions {
  readonly pin: Pin;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Opens a TLS connection, and resolves once the server has proved that it is the daemon. Nothing can be sent before that,
 * because nobody has the socket. A connection never resumes an earlier session: Node does not check the server's
 * certificate again for a resumed session.
 */
export function openTls(address: Address, { pin, timeoutMs, signal }: OpenOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const { host, port } = address;
    const socket = connect({ host, port, ...pin(host), ALPNProtocols: ["http/1.1"] });
    let isConnected = false;
    const end = (error?: BelfryError) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      if (error === undefined) return resolve(socket);
      socket.destroy();
      reject(error);
    };
    const abort = () => end(new AbortError(signal));
    const timer = setTimeout(() => end(timedOut(address, timeoutMs)), timeoutMs);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    socket.once("connect", () => (isConnected = true));
    socket.once("secureConnect", () => end(checkSocket(socket, address)));
    // never removed: a socket without a request may break too
    socket.on("error", (error: NodeJS.ErrnoException) => end(explainFailure(error, address, isConnected)));
    socket.once("close", () => end(explainFailure(closedEarly(), address, isConnected)));
  });
}

/** An environment variable can make Node accept any certificate, so its verdict is read once more. */
function checkSocket(socket: TLSSocket, address: Address): BelfryError | undefined {
  if (socket.authorized && socket.getProtocol() === tlsVersion && !socket.isSessionReused()) return undefined;
  const error: NodeJS.ErrnoException = socket.authorizationError ?? new Error("The certificate was not verified.");
  return explainTrustFailure(error, address);
}

function explainFailure(error: NodeJS.ErrnoException, address: Address, isConnected: boolean): BelfryError {
  if (isConnected && isTlsFailure(error)) return explainTrustFailure(error, address);
  const message = `The daemon cannot be reached at ${address.text}: ${error.message}. Check the address and the network. On its machine, check with \`belfry remote status\` that the remote API is enabled.`;
  return new ConnectionError(message, { code: error.code, cause: error });
}

/** Whether the handshake itself failed. If the connection was closed or broke, the server may only be restarting. */
function isTlsFailure({ code = "" }: NodeJS.ErrnoException): boolean {
  return !["ECONNRESET", "EPIPE", "ETIMEDOUT", "ENETDOWN", "ENETUNREACH", "EHOSTUNREACH"].includes(code);
}

function timedOut(address: Address, timeoutMs: number): ConnectionError {
  return new ConnectionError(`The daemon did not answer at ${address.text} within ${timeoutMs} ms. Nothing was sent.`, {
    code: "ETIMEDOUT",
  });
}

function closedEarly(): NodeJS.ErrnoException {
  return Object.assign(new Error("the connection was closed during the handshake"), { code: "ECONNRESET" });
}

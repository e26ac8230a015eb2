import { connect as connectPlain, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, getCACertificates, type SecureContext, TLSSocket } from "node:tls";
import type { Clock } from "../../../kernel/time/clock.ts";
import { type EndpointRules, literalHost, refusalOfAddress } from "../../channels/index.ts";
import { type Address, createHostResolver } from "./resolve-host.ts";
import { type Phase, Refused } from "./send-failure.ts";

export interface ConnectorParts extends EndpointRules {
  readonly clock: Clock;
  /** PEM certificates that are trusted in addition to the default ones. */
  readonly ca: string | null;
  /** Name servers to ask instead of the system's. */
  readonly dnsServers: readonly string[] | null;
}

/** The progress of an attempt. Whoever ends the attempt destroys the socket, in any phase. */
export interface Progress {
  phase: Phase;
  socket: Socket | null;
  isOver: boolean;
}

export type Connector = ReturnType<typeof createConnector>;

/** Makes the connection of one attempt: resolves the host once, checks every address, and connects to a checked one. */
export function createConnector(parts: ConnectorParts) {
  const resolver = createHostResolver({ servers: parts.dnsServers, clock: parts.clock });
  let context: SecureContext | null = null;

  return {
    connect: async (url: URL, progress: Progress): Promise<Socket> => {
      progress.phase = "resolving";
      const addresses = await addressesOf(url);
      if (progress.isOver) throw new Refused("the attempt was aborted");
      for (const { address } of addresses) {
        const refusal = refusalOfAddress(address, url.protocol, parts);
        if (refusal !== null) throw new Refused(`the host resolves to ${refusal}`);
      }
      progress.phase = "connecting";
      const socket = open(url, addresses);
      progress.socket = socket;
      await connected(socket, url.protocol === "https:" ? "secureConnect" : "connect");
      if (socket instanceof TLSSocket) requireVerified(socket);
      return socket;
    },
    close: resolver.close,
  };

  function addressesOf(url: URL): readonly Address[] | Promise<readonly Address[]> {
    const literal = literalHost(url);
    if (literal === null) return resolver.resolve(url.hostname);
    return [{ address: literal, family: literal.includes(":") ? 6 : 4 }];
  }

  function open(url: URL, addresses: readonly Address[]): Socket {
    const isTls = url.protocol === "https:";
    const host = withoutBrackets(url.hostname);
    const to = {
      host,
      port: Number(url.port || (isTls ? 443 : 80)),
      lookup: lookupIn(addresses),
      autoSelectFamily: true,
      noDelay: true,
    };
    if (!isTls) return connectPlain(to);
    return connectTls({
      ...to,
      secureContext: (context ??= trustedContext()),
      // TLS allows only a name as the server name, not an address
      ...(literalHost(url) === null ? { servername: host } : {}),
      ALPNProtocols: ["http/1.1"],
    });
  }

  function trustedContext(): SecureContext {
    if (parts.ca === null) return createSecureContext();
    return createSecureContext({ ca: [...getCACertificates("default"), parts.ca] });
  }
}

function connected(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  // the user of the connection handles its errors
  socket.on("error", ignore);
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
    socket.once("error", reject).once("close", onClose);
    socket.once(event, () => {
      socket.off("error", reject).off("close", onClose);
      resolve();
    });
  });
}

/** A variable of the environment can make Node open the connection all the same and only note its verdict. */
function requireVerified(socket: TLSSocket): void {
  if (socket.authorized) return;
  // the code, whatever the type says
  const verdict: unknown = socket.authorizationError;
  throw Object.assign(new Error("the certificate was not verified"), {
    code: typeof verdict === "string" ? verdict : "ERR_TLS_CERT_NOT_VERIFIED",
  });
}

function ignore(): void {}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.$/, "");
}

/** Creates a lookup that returns the checked addresses. */
function lookupIn(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all === true) return callback(null, [...addresses]);
    const [{ address, family }] = addresses as readonly [Address];
    return callback(null, address, family);
  };
}

import { limits } from "@belfry/contract";
import { connect as connectPlain, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { Client } from "undici";
import type { Clock } from "../../kernel/clock.ts";
import type { Target } from "./channel-secrets.ts";
import type { AttemptResult } from "./deliveries.ts";
import { type EndpointRules, literalHost, refusalOfAddress } from "./endpoint.ts";
import { type Address, createHostResolver } from "./resolve-host.ts";
import { describeFailure, describeTimeout, isLackOfMeans, type Phase } from "./send-failure.ts";
import { signatureHeaders } from "./sign.ts";

// undici, because its client hands over the connecting: Node's own resolves names behind every check.

export interface SenderParts extends EndpointRules {
  readonly clock: Clock;
  readonly version: string;
  /** Certificates in PEM that are trusted besides the usual ones. */
  readonly ca: string | null;
  /** Name servers to ask instead of the system's. */
  readonly dnsServers: readonly string[] | null;
}

export interface Message {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly target: Target;
}

/** Breaks an attempt off; its result then says so. */
export type Abort = () => void;

export type Sender = ReturnType<typeof createSender>;

/** An answer is read to its end, so that it is known to have arrived; one beyond this is no answer to a notification. */
const answerBytesMax = 1024 * 1024;
/** A connection waits so long for the next delivery to the same origin. */
const idleMs = 2_000;

/** A connection, from its first step on in one hand: whatever stage it is in, it can be ended. */
interface Connection {
  readonly client: Client;
  socket: Socket | null;
  phase: Phase;
  /** Of the answer under way. */
  status: number | null;
  hasEnded: boolean;
}

class Refused extends Error {}

/** The only outgoing HTTP there is: one POST of one attempt (contract: Receiver contract, Limits). */
export function createSender(parts: SenderParts) {
  const { clock } = parts;
  const resolver = createHostResolver({ servers: parts.dnsServers, clock });
  const idle = new Map<string, Connection[]>();
  let context: SecureContext | null = null;

  return {
    /** Tells the result once, never before it returns. */
    send: (message: Message, onResult: (result: AttemptResult) => void): Abort => {
      const url = new URL(message.target.endpoint);
      const connection = takeConnection(url);
      let isSettled = false;
      const settle = (result: AttemptResult): void => {
        if (isSettled) return;
        isSettled = true;
        timer.cancel();
        if (result.kind === "delivered") keep(url, connection);
        else destroy(connection);
        onResult(result);
      };
      const timer = clock.after(limits.webhookTimeoutMs, () =>
        settle(refused(connection.status, describeTimeout(connection.phase))),
      );
      void request(connection, url, message).then(settle);
      return () => settle(refused(connection.status, "the attempt was broken off"));
    },
    close: (): void => {
      resolver.close();
      for (const connections of idle.values()) connections.forEach(destroy);
      idle.clear();
    },
  };

  async function request(connection: Connection, url: URL, message: Message): Promise<AttemptResult> {
    try {
      connection.status = null;
      connection.phase = connection.socket === null ? "resolving" : "answering";
      const answer = await connection.client.request({
        method: "POST",
        path: `${url.pathname}${url.search}`,
        headers: headersOf(message),
        body: message.body,
      });
      const status = answer.statusCode;
      connection.status = status;
      connection.phase = "reading";
      if (status < 200 || status >= 300) {
        // nothing of its body is told, so nothing of it is read; destroying it raises an error that nobody needs
        answer.body.on("error", () => {}).destroy();
        return refused(status, sentenceOfStatus(status));
      }
      let bytes = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > answerBytesMax) return refused(status, "the answer does not end: it is longer than 1 MiB");
      }
      return { kind: "delivered", status, diagnostic: null };
    } catch (error) {
      const { status } = connection;
      if (error instanceof Refused) return refused(status, error.message);
      const said = describeFailure(error, connection.phase);
      return isLackOfMeans(error, connection.phase)
        ? { kind: "unsent", status, diagnostic: said }
        : refused(status, said);
    }
  }

  function headersOf(message: Message): Record<string, string> {
    const { authorization } = message.target;
    return {
      "content-type": "application/json",
      "user-agent": `service/${parts.version}`,
      "x-service-delivery": message.id,
      "x-service-event": message.event,
      ...(authorization === null ? {} : { authorization }),
      ...signatureHeaders(message, clock.now()),
    };
  }

  function takeConnection(url: URL): Connection {
    const kept = idle.get(url.origin)?.pop();
    if (kept !== undefined) return kept;
    const connection: Connection = {
      client: new Client(url.origin, {
        // our own clock ends what takes too long
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: idleMs,
        keepAliveMaxTimeout: idleMs,
        connect: (_options, callback) => {
          open(connection, url).then(
            (socket) => callback(null, socket),
            (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
          );
        },
      }),
      socket: null,
      phase: "resolving",
      status: null,
      hasEnded: false,
    };
    return connection;
  }

  /** Resolved once, judged, and connected to what was judged: a name that leads elsewhere a moment later changes nothing. */
  async function open(connection: Connection, url: URL): Promise<Socket> {
    connection.phase = "resolving";
    const addresses = await addressesOf(url);
    if (connection.hasEnded) throw new Refused("the attempt was broken off");
    for (const { address } of addresses) {
      const refusal = refusalOfAddress(address, url.protocol, parts);
      if (refusal !== null) throw new Refused(`the host leads to ${refusal}`);
    }
    connection.phase = "connecting";
    const isTls = url.protocol === "https:";
    const to = {
      host: bare(url.hostname),
      port: Number(url.port || (isTls ? 443 : 80)),
      lookup: lookupIn(addresses),
      autoSelectFamily: true,
      noDelay: true,
    };
    const socket = isTls
      ? connectTls({
          ...to,
          secureContext: (context ??= trustedContext()),
          // an address has no name to ask for
          ...(literalHost(url) === null ? { servername: to.host } : {}),
          ALPNProtocols: ["http/1.1"],
        })
      : connectPlain(to);
    connection.socket = socket;
    await new Promise<void>((resolve, reject) => {
      socket.once(isTls ? "secureConnect" : "connect", resolve).on("error", reject);
      socket.once("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
    });
    connection.phase = "answering";
    return socket;
  }

  function addressesOf(url: URL): readonly Address[] | Promise<readonly Address[]> {
    const literal = literalHost(url);
    if (literal === null) return resolver.resolve(url.hostname);
    return [{ address: literal, family: literal.includes(":") ? 6 : 4 }];
  }

  function trustedContext(): SecureContext {
    if (parts.ca === null) return createSecureContext();
    return createSecureContext({ ca: [...getCACertificates("default"), parts.ca] });
  }

  function keep(url: URL, connection: Connection): void {
    const kept = idle.get(url.origin) ?? [];
    kept.push(connection);
    idle.set(url.origin, kept);
    clock.after(idleMs, () => {
      const at = kept.indexOf(connection);
      if (at < 0) return;
      kept.splice(at, 1);
      if (kept.length === 0 && idle.get(url.origin) === kept) idle.delete(url.origin);
      destroy(connection);
    });
  }
}

function destroy(connection: Connection): void {
  connection.hasEnded = true;
  // what waits in the client is rejected by it, and nobody waits any more
  connection.client.destroy().catch(() => {});
  connection.socket?.on("error", () => {}).destroy();
}

function refused(status: number | null, diagnostic: string): AttemptResult {
  return { kind: "refused", status, diagnostic };
}

function sentenceOfStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return `the receiver answered ${status}${isRedirect ? ": redirects are not followed" : ""}`;
}

function bare(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.$/, "");
}

/** Answers with what was judged, whatever is asked. */
function lookupIn(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all === true) return callback(null, [...addresses]);
    const [{ address, family }] = addresses as readonly [Address];
    return callback(null, address, family);
  };
}

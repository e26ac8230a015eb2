import { type Operation, triggerOperations } from "@belfry/contract";
import type { IncomingMessage } from "node:http";
import type { Gateway, GatewayCall } from "../../gateway.ts";
import { AppError } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Actor } from "../../kernel/operation.ts";
import { type Clock, sleep } from "../../kernel/time/clock.ts";
import { parseBody, readBody } from "../shared/body.ts";
import { readCallHeaders } from "../shared/call-headers.ts";
import { commonHeaders } from "../shared/envelope.ts";
import type { Connection } from "../shared/mount.ts";
import { readQuery } from "../shared/query.ts";
import type { RefusalSummary } from "../shared/refusal-summary.ts";
import { answerRefusal } from "../shared/refusal.ts";
import { createTokenBuckets } from "../shared/token-buckets.ts";
import type { WaitingConnections } from "./connections.ts";

/** What happened to a caller without a valid key. */
export type Refused = "trigger_unknown" | "not_found" | "malformed" | "connections_dropped";

export interface ServeFireParts {
  readonly gateway: Pick<Gateway, "enter" | "explain">;
  /** Returns the holder of this key. Throws `trigger_unknown` if no trigger has it. */
  readonly identify: (key: string) => Actor;
  readonly clock: Clock;
  readonly version: string;
  readonly connections: Pick<WaitingConnections, "admit">;
  readonly refused: Pick<RefusalSummary<Refused>, "count">;
}

/** How many unknown keys of all callers together are answered at once. One more is each second. */
const unknownKeysBurst = 60;
/** The pause before every other answer to an unknown key. */
const unknownKeyPauseMs = 250;
/** A key has at most 200 characters, which JSON may escape. */
const bodyBytesMax = 4 * 1024;

const operation: Operation = {
  ...triggerOperations.find(({ id }) => id === "triggers.fire")!,
  bodyBytesMax,
};
const path = `/v1${operation.path}`;
/** The same for every path, so that it does not say what exists. */
const onlyFires = `this socket only fires triggers, with POST ${path}: use the daemon's own socket for everything else`;
const neverAborted = new AbortController().signal;

/**
 * Answers fires, and nothing else. The key identifies the caller, so it is looked up before anything is limited. An
 * unknown key costs no write: neither an audit row nor a line of the log.
 */
export function createServeFire(parts: ServeFireParts) {
  const { gateway, clock, version, refused } = parts;
  const buckets = createTokenBuckets(clock);

  return async (request: Request, connection: Connection): Promise<Response> => {
    const requestId = newId("req");
    const incoming = requestOf(connection);
    if (incoming.method !== "POST" || new URL(request.url).pathname !== path) {
      refused.count("not_found");
      return refuse(new AppError("not_found", onlyFires), requestId);
    }
    let call: GatewayCall;
    try {
      call = await readCall(connection, { url: request.url, requestId });
    } catch (error) {
      await limitRefusal(error);
      return refuse(error, requestId);
    }
    parts.connections.admit(incoming.socket);
    try {
      const answer = await gateway.enter(operation, call);
      const headers = commonHeaders(requestId, version);
      if (answer.isReplay) headers["Idempotent-Replay"] = "true";
      return Response.json(answer.body, { status: answer.status, headers });
    } catch (error) {
      return refuse(gateway.explain(operation, { actor: call.actor, requestId, id: null }, error), requestId);
    }
  };

  async function readCall(
    connection: Connection,
    { url, requestId }: { readonly url: string; readonly requestId: string },
  ): Promise<GatewayCall> {
    readQuery(url, operation);
    const headers = readCallHeaders(requestOf(connection), operation);
    const { value, sent } = parseBody(operation, await readBody(connection, operation), []);
    // safe because the operation's schema has parsed it
    const { key } = value as { readonly key: string };
    return {
      ...headers,
      params: undefined,
      query: {},
      body: value,
      sentBody: { value: sent },
      actor: parts.identify(key),
      now: clock.now(),
      signal: neverAborted,
      wantsEvents: false,
      requestId,
    };
  }

  async function limitRefusal(error: unknown): Promise<void> {
    const isUnknown = error instanceof AppError && error.code === "trigger_unknown";
    refused.count(isUnknown ? "trigger_unknown" : "malformed");
    if (isUnknown && !buckets.take("", { perSecond: 1, burst: unknownKeysBurst }))
      await sleep(clock, unknownKeyPauseMs);
  }

  function refuse(error: unknown, requestId: string): Response {
    return answerRefusal(error, { requestId, version });
  }
}

/** Safe because the listener passes Node's own request. */
function requestOf({ incoming }: Connection): IncomingMessage {
  return incoming as IncomingMessage;
}

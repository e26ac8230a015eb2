import type { Operation } from "@belfry/contract";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { anonymous, type Caller, type Gateway, type GatewayAnswer, type GatewayCall } from "../../gateway.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { AppError } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Actor, LinesAnswer } from "../../kernel/operation.ts";
import { type BodyConnection, type Incoming, type ParsedBody, readBody } from "./body.ts";
import type { BodyParser } from "./body-parser.ts";
import { readCallHeaders } from "./call-headers.ts";
import { commonHeaders } from "./envelope.ts";
import { refusedMembers, type RemoteRules } from "./local-members.ts";
import { matchMethods, overshadowedMethods } from "./methods.ts";
import type { OpenStreams } from "./open-streams.ts";
import { readQuery } from "./query.ts";
import { answerRefusal } from "./refusal.ts";
import { bodyOf, type Outgoing, pushTo } from "./stream.ts";
import { parseInput } from "./validation.ts";

export interface MountParts extends RemoteRules {
  readonly operations: readonly Operation[];
  readonly base: string;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly version: string;
  /**
   * Returns the caller of a request, or the reason why the request is rejected. A remote caller of a public operation is
   * `anonymous`.
   */
  readonly actorOf: (connection: Connection, operation: Operation) => Actor | AppError;
  /**
   * Answers a request that has no route here. Without this function, the answer says which methods the path has.
   */
  readonly refuseUnknown?: ((connection: Connection) => AppError) | undefined;
  /** Called for each refused call of an anonymous caller, which the audit trail does not record. */
  readonly onAnonymousRefused?: ((operation: Operation) => void) | undefined;
  readonly streams: OpenStreams;
  readonly bodies: BodyParser;
}

/** The connection of a request, as the listener passes it. */
export interface Connection {
  readonly incoming: Incoming;
  readonly outgoing: Outgoing & BodyConnection["outgoing"];
}

type Request = Context<{ Bindings: Connection }>;
type Answer = Response | Promise<Response>;

/** The parts of a request before its body. */
type Head = ReturnType<typeof headOf>;

interface Read {
  readonly caller: Caller;
  readonly head: Head;
  readonly body: ParsedBody;
}

interface Entering {
  readonly caller: Caller;
  readonly call: GatewayCall;
}

const neverAborted = new AbortController().signal;
const noBody: ParsedBody = { value: undefined, sent: { value: undefined } };

/**
 * Makes routes from the descriptors: authorize, then parse, then handle, with the same headers on every answer. Each
 * route has one handler. A read is answered in the same turn of the event loop, because waiting would cost as much as
 * the read.
 */
export function mount(parts: MountParts): Hono<{ Bindings: Connection }> {
  const { gateway, version } = parts;
  const app = new Hono<{ Bindings: Connection }>();
  const methodsOf = matchMethods(parts.operations, parts.base);
  // before the routes that would read its last part as an id
  for (const { path, methods } of overshadowedMethods(parts.operations, parts.base))
    app.on([...methods], path, refuseRoute);
  for (const operation of parts.operations) {
    const path = `${parts.base}${operation.path}`.replaceAll(/\{(\w+)\}/g, ":$1");
    const isRead = operation.method === "get";
    app.on(operation.method.toUpperCase(), path, (c) =>
      isRead ? gateway.readTogether(() => serve(c, operation)) : serve(c, operation),
    );
  }
  app.notFound(refuseRoute);
  return app;

  function refuseRoute(c: Request): Response {
    if (parts.refuseUnknown !== undefined) return refusal(parts.refuseUnknown(c.env), newId("req"));
    const { path, method } = c.req;
    const methods = methodsOf(path);
    // the path is never quoted, because it may contain a trigger's key
    if (methods === null)
      return refusal(
        new AppError("not_found", "this path does not exist: GET /v1/openapi.json lists all paths"),
        newId("req"),
      );
    const error = new AppError("method_not_allowed", `this path accepts ${methods}, not ${method}`);
    return refusal(error, newId("req"), { Allow: methods });
  }

  function serve(c: Request, operation: Operation): Answer {
    const identified = parts.actorOf(c.env, operation);
    const requestId = newId("req");
    if (identified instanceof AppError) return refusal(identified, requestId);
    const id = c.req.param("id") ?? null;
    const actor = gateway.admit(operation, { actor: identified, requestId, id });
    if (actor instanceof Promise) return actor.then((error) => refusal(error, requestId));
    const caller: Caller = { actor, requestId, id };
    if (operation.method !== "get") return readAndEnter(c, operation, caller);
    let call: GatewayCall;
    try {
      call = callOf(c, operation, { caller, head: headOf(c, operation), body: noBody });
    } catch (error) {
      return refuse(operation, caller, error);
    }
    return enter(c, operation, { caller, call });
  }

  async function readAndEnter(c: Request, operation: Operation, caller: Caller): Promise<Response> {
    let call: GatewayCall;
    try {
      const head = headOf(c, operation);
      const refused = refusedMembers(operation, caller.actor.transport, parts);
      const body = await parts.bodies.parse(operation, await readBody(c.env, operation), refused);
      call = callOf(c, operation, { caller, head, body });
    } catch (error) {
      return refuse(operation, caller, error);
    }
    return enter(c, operation, { caller, call });
  }

  function enter(c: Request, operation: Operation, { caller, call }: Entering): Answer {
    // the gateway has already reported its own errors
    const explain = (error: unknown): Response => {
      noteRefusal(operation, caller);
      return refusal(gateway.explain(operation, caller, error), caller.requestId);
    };
    try {
      const answer = gateway.enter(operation, call);
      if (!(answer instanceof Promise)) return respond(c, operation, { caller, answer });
      return answer.then((done) => respond(c, operation, { caller, answer: done })).catch(explain);
    } catch (error) {
      return explain(error);
    }
  }

  async function refuse(operation: Operation, caller: Caller, error: unknown): Promise<Response> {
    noteRefusal(operation, caller);
    return refusal(await gateway.refuse(operation, caller, error), caller.requestId);
  }

  function noteRefusal(operation: Operation, { actor }: Caller): void {
    if (actor === anonymous) parts.onAnonymousRefused?.(operation);
  }

  function refusal(error: unknown, requestId: string, headers: Record<string, string> = {}): Response {
    return answerRefusal(error, { requestId, version, headers });
  }

  function respond(
    c: Request,
    operation: Operation,
    { caller, answer }: { readonly caller: Caller; readonly answer: GatewayAnswer },
  ): Response {
    const headers = commonHeaders(caller.requestId, version);
    if (answer.isReplay) headers["Idempotent-Replay"] = "true";
    if (answer.stream !== null) {
      headers["Content-Type"] = streamType(operation, answer.stream);
      headers["X-Content-Type-Options"] = "nosniff";
      headers["Transfer-Encoding"] = "chunked";
      if (answer.stream.kind === "pushed") {
        // a HEAD request ends before a stream begins
        if (c.req.method === "HEAD") return new Response(null, { status: 200, headers });
        c.env.outgoing.writeHead(200, headers);
        follow(c, caller);
        pushTo(c.env.outgoing, answer.stream, parts.clock);
        return RESPONSE_ALREADY_SENT;
      }
      follow(c, caller);
      const drop = (): void => void c.env.outgoing.destroy();
      const onError = (error: unknown): void => void gateway.explain(operation, caller, error);
      return new Response(bodyOf(answer.stream, { clock: parts.clock, drop, onError }), { status: 200, headers });
    }
    if (answer.body === undefined) return new Response(null, { status: answer.status, headers });
    const text =
      operation.response.kind === "ndjson"
        ? writeLines(answer.body as LinesAnswer, headers)
        : writeJson(answer.body, headers);
    headers["Content-Length"] = String(Buffer.byteLength(text));
    return new Response(text, { status: answer.status, headers });
  }

  /** Registers a stream until its connection closes, which ends every stream. */
  function follow(c: Request, { actor }: Caller): void {
    const { outgoing } = c.env;
    outgoing.on("close", parts.streams.add({ actor, close: () => void outgoing.destroy() }));
  }

  /**
   * Makes the gateway's call. The library builds its headers and its signal when they are first read, so they are read
   * only if needed.
   */
  function callOf(c: Request, operation: Operation, of: Read): GatewayCall {
    const { query, ...headers } = of.head;
    const { accept } = c.env.incoming.headers;
    const isStream =
      operation.response.kind === "events" || operation.response.kind === "bytes" || operation.response.kind === "file";
    return {
      ...parseInput(operation, { params: c.req.param(), query }),
      body: of.body.value,
      sentBody: of.body.sent,
      actor: of.caller.actor,
      now: parts.clock.now(),
      // a HEAD request ends before a stream begins
      signal: !isStream ? neverAborted : c.req.method === "HEAD" ? AbortSignal.abort() : c.req.raw.signal,
      wantsEvents: isStream && (accept?.includes("text/event-stream") ?? false),
      requestId: of.caller.requestId,
      ...headers,
    };
  }
}

function streamType({ response }: Operation, stream: NonNullable<GatewayAnswer["stream"]>): string {
  if (response.kind === "file") return response.type;
  return stream.kind === "bytes" ? "text/plain; charset=utf-8" : "text/event-stream";
}

function writeJson(body: object, headers: Record<string, string>): string {
  if ("revision" in body) headers["ETag"] = `"${String(body.revision)}"`;
  headers["Content-Type"] = "application/json";
  return JSON.stringify(body);
}

function writeLines({ lines, nextCursor }: LinesAnswer, headers: Record<string, string>): string {
  headers["Content-Type"] = "application/x-ndjson";
  if (nextCursor !== null) headers["X-Next-Cursor"] = nextCursor;
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Reads the query and the headers before the body is requested: a call that they reject needs no body. */
function headOf(c: Request, operation: Operation) {
  return { query: readQuery(c.req.url, operation), ...readCallHeaders(c.env.incoming, operation) };
}

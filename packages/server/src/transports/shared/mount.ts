import { limits, type Operation } from "@belfry/contract";
import { routeOf } from "@belfry/contract/openapi";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Door, DoorAnswer } from "../../door.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Actor } from "../../kernel/operation.ts";
import { commonHeaders, envelopeOfError } from "./envelope.ts";
import { guardInput } from "./input-guard.ts";
import { matchMethods } from "./methods.ts";
import { bodyOf, type Outgoing, pushTo } from "./stream.ts";
import { refusalOf } from "./validation.ts";

export interface MountParts {
  readonly operations: readonly Operation[];
  readonly base: string;
  readonly door: Door;
  readonly clock: Clock;
  readonly version: string;
  readonly actorOf: () => Actor;
}

/** What the listener knows of the other side. */
export interface Connection {
  readonly outgoing: Outgoing;
}

/** What a request carries from one step to the next. */
interface Passing {
  readonly Bindings: Connection;
  readonly Variables: { requestId: string; actor: Actor; operation: Operation; hasEntered: boolean };
}

/** Descriptor and door to routes: authorize, then parse, then handle; every answer in the same dress. */
export function mount(parts: MountParts): OpenAPIHono<Passing> {
  const { door, version } = parts;
  const app = new OpenAPIHono<Passing>({
    defaultHook: (result) => {
      if (!result.success) throw refusalOf(result.error, result.target);
    },
  });
  for (const operation of parts.operations) {
    app.openapi(
      { ...routeOf(operation, parts.base), middleware: [admit(operation), guardInput(operation)] },
      async (c) => {
        const call = callOf(c, operation);
        c.set("hasEntered", true);
        return respond(c, operation, await door.enter(operation, call));
      },
    );
  }
  const methodsOf = matchMethods(parts.operations, parts.base);
  app.notFound((c) => {
    const methods = methodsOf(c.req.path);
    if (methods === null) return refuse(c, new AppError("not_found", `there is nothing at ${c.req.path}`));
    return refuse(c, new AppError("method_not_allowed", `${c.req.path} takes ${methods}, not ${c.req.method}`), {
      Allow: methods,
    });
  });
  app.onError(async (error, c) => {
    const operation = c.get("operation");
    const known = asKnown(error);
    if (operation === undefined) return refuse(c, known);
    const caller = callerOf(c);
    // what comes out of the door has been told of already
    return refuse(
      c,
      c.get("hasEntered") ? door.explain(operation, caller, known) : await door.refuse(operation, caller, known),
    );
  });
  return app;

  function admit(operation: Operation): MiddlewareHandler<Passing> {
    return async (c, next) => {
      const requestId = newId("req");
      const actor = parts.actorOf();
      c.set("requestId", requestId);
      c.set("actor", actor);
      c.set("operation", operation);
      c.set("hasEntered", false);
      const refusal = door.admit(operation, actor, requestId);
      if (refusal !== null) return refuse(c, await refusal);
      return next();
    };
  }

  function refuse(c: Context<Passing>, error: unknown, more: Record<string, string> = {}): Response {
    const { status, body } = envelopeOfError(
      error instanceof AppError
        ? error
        : new AppError("internal", "something went wrong in the daemon", { cause: error }),
    );
    const headers = {
      "Content-Type": "application/json",
      ...commonHeaders(c.get("requestId") ?? newId("req"), version),
      ...more,
    };
    return new Response(JSON.stringify(body), { status, headers });
  }

  function respond(c: Context<Passing>, operation: Operation, answer: DoorAnswer): Response {
    const headers = commonHeaders(c.get("requestId"), version);
    if (answer.isReplay) headers["Idempotent-Replay"] = "true";
    if (answer.stream !== null) {
      headers["Content-Type"] = answer.stream.kind === "bytes" ? "text/plain; charset=utf-8" : "text/event-stream";
      headers["X-Content-Type-Options"] = "nosniff";
      headers["Transfer-Encoding"] = "chunked";
      if (answer.stream.kind === "pushed") {
        // who asks for the head alone has gone before a stream begins
        if (c.req.method === "HEAD") return new Response(null, { status: 200, headers });
        c.env.outgoing.writeHead(200, headers);
        pushTo(c.env.outgoing, answer.stream, parts.clock);
        return RESPONSE_ALREADY_SENT;
      }
      const drop = (): void => void c.env.outgoing.destroy();
      const onError = (error: unknown): void => void door.explain(operation, callerOf(c), error);
      return new Response(bodyOf(answer.stream, { clock: parts.clock, drop, onError }), { status: 200, headers });
    }
    if (answer.body === undefined) return new Response(null, { status: answer.status, headers });
    if ("revision" in answer.body) headers["ETag"] = `"${String(answer.body.revision)}"`;
    headers["Content-Type"] = "application/json";
    const text = JSON.stringify(answer.body);
    headers["Content-Length"] = String(Buffer.byteLength(text));
    return new Response(text, { status: answer.status, headers });
  }

  /** Headers and signal are looked at only where they count: touching either makes the library build what it had put off. */
  function callOf(c: Context<Passing>, operation: Operation) {
    const isStream = operation.response.kind === "events" || operation.response.kind === "bytes";
    return {
      params: operation.params === undefined ? undefined : (c.req.valid("param" as never) as Record<string, string>),
      query: operation.query === undefined ? {} : c.req.valid("query" as never),
      body: readBody(c, operation),
      actor: c.get("actor"),
      now: parts.clock.now(),
      // who asks for the head alone has gone before a stream begins
      signal: !isStream ? neverAborted : c.req.method === "HEAD" ? AbortSignal.abort() : c.req.raw.signal,
      wantsEvents: isStream && (c.req.header("accept")?.includes("text/event-stream") ?? false),
      requestId: c.get("requestId"),
      ifMatch: operation.conditional === true ? (c.req.header("if-match") ?? null) : null,
      idempotencyKey: readIdempotencyKey(c, operation),
    };
  }
}

const neverAborted = new AbortController().signal;

function callerOf(c: Context<Passing>) {
  return { actor: c.get("actor"), requestId: c.get("requestId"), id: c.req.param("id") ?? null };
}

/** No body where one may be left out is parsed as an empty one, so that its defaults apply. */
function readBody(c: Context<Passing>, operation: Operation): unknown {
  if (operation.body === undefined) return undefined;
  if (operation.bodyOptional === true && c.req.header("content-type") === undefined) return operation.body.parse({});
  return c.req.valid("json" as never);
}

function readIdempotencyKey(c: Context<Passing>, operation: Operation): string | null {
  if (operation.replayedBy === undefined) return null;
  const key = c.req.header("idempotency-key");
  if (key === undefined) return null;
  if (key.length >= 1 && key.length <= limits.idempotencyKeyCharactersMax) return key;
  throw new AppError(
    "validation_failed",
    `Idempotency-Key must have 1 to ${limits.idempotencyKeyCharactersMax} characters`,
    { field: "Idempotency-Key" },
  );
}

/** What the libraries between throw, in our words; anything else stays what it is. */
function asKnown(error: unknown): unknown {
  if (error instanceof HTTPException && error.status === 415) {
    return new AppError("unsupported_media_type", "send the body as Content-Type: application/json", { cause: error });
  }
  if (error instanceof HTTPException && error.status === 400) {
    return new AppError("validation_failed", "the body is not valid JSON", { cause: error });
  }
  return error;
}

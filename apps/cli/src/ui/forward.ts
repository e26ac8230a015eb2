import { limits, type Operation } from "@belfry/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import { answerJson, answerRefusal, dataHeaders } from "./answer.ts";
import { invalid, readBody } from "./read-body.ts";
import { noSession, single } from "./check-request.ts";
import type { DaemonLink } from "./daemon-links.ts";
import { explainNoAnswer, lostAnswer, malformed, uncertain } from "./explain.ts";
import type { Matched } from "./match-operation.ts";

/** Headers of the page that reach the daemon, besides those that are made here. */
const sentHeaders = ["if-match", "idempotency-key"] as const;
/** Headers of the daemon that reach the page, besides those that are made here. */
const returnedHeaders = [
  "etag",
  "x-request-id",
  "x-service-version",
  "x-next-cursor",
  "idempotent-replay",
  "retry-after",
] as const;
const headerValue = /^[\x20-\x7e]{1,1000}$/;

const errorBytesMax = 64 * 1024;
/** Above every answer that is not a stream. */
const jsonBytesMax = 64 * 1024 * 1024;

export interface ForwardCall extends Matched {
  readonly search: string;
  readonly link: DaemonLink;
  /** Aborted when the session of the page ends. */
  readonly ended: AbortSignal;
}

/**
 * Sends a new request with the parts of the page's request that the contract knows, and passes the answer on as data. If
 * the page goes away, so does the request to the daemon; if the daemon breaks off, so does the answer.
 */
export async function forward(incoming: IncomingMessage, response: ServerResponse, call: ForwardCall): Promise<void> {
  const { kind } = call.operation;
  const body = await readBodyFor(call.operation, incoming);
  // a body may take a minute, and a signal that is aborted already tells nobody
  if (call.ended.aborted) throw noSession();
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  response.once("close", stop);
  call.ended.addEventListener("abort", stop);
  try {
    const answer = await send(incoming, body, { ...call, signal: abort.signal }).catch(async (error: unknown) => {
      throw await explainNoAnswer(error, kind);
    });
    await passOn(answer, incoming, { response, operation: call.operation });
  } finally {
    response.off("close", stop);
    call.ended.removeEventListener("abort", stop);
  }
}

function readBodyFor({ body, bodyBytesMax }: Operation, incoming: IncomingMessage): Promise<Buffer | null> {
  return readBody(incoming, body === undefined ? 0 : (bodyBytesMax ?? limits.bodyBytesMax));
}

function send(
  incoming: IncomingMessage,
  body: Buffer | null,
  { operation, path, search, link, signal }: ForwardCall & { readonly signal: AbortSignal },
): Promise<Response> {
  const headers: Record<string, string> = { accept: acceptedType(operation, incoming) };
  if (body !== null) headers["content-type"] = "application/json";
  for (const name of sentHeaders) {
    const value = single(incoming, name);
    if (value === null) continue;
    if (!headerValue.test(value)) throw invalid(null, `the header ${name} has characters that are not allowed`);
    headers[name] = value;
  }
  const request = new Request(`${link.transport.baseUrl}/v1${path}${search}`, {
    method: operation.method.toUpperCase(),
    headers,
    redirect: "manual",
    signal,
    ...(body === null ? {} : { body: new Uint8Array(body) }),
  });
  return link.transport.fetch(request);
}

/** The one type that the operation answers with, or the one of two that the page asks for. */
function acceptedType({ response }: Operation, incoming: IncomingMessage): string {
  switch (response.kind) {
    case "events":
      return "text/event-stream";
    case "bytes":
      return incoming.headers.accept?.includes("text/event-stream") === true ? "text/event-stream" : "text/plain";
    case "ndjson":
      return "application/x-ndjson";
    case "file":
      return response.type;
    default:
      return "application/json";
  }
}

async function passOn(
  answer: Response,
  incoming: IncomingMessage,
  { response, operation }: { readonly response: ServerResponse; readonly operation: Operation },
): Promise<void> {
  const { status } = answer;
  if (status >= 400 && status < 600) {
    const text = await readText(answer).catch(() => {
      // the SDK's errors of a body do not mean that nothing was sent
      throw lostAnswer(operation.kind);
    });
    const error = readEnvelope(text);
    if (error === null) return answerRefusal(incoming, response, misunderstood(operation));
    returnHeaders(answer, response);
    return answerJson(response, status, { error });
  }
  const type = acceptedType(operation, incoming);
  const isEmpty = operation.response.kind === "empty";
  const isExpected =
    status === (isEmpty ? 204 : status) &&
    [200, 201, 202, 204].includes(status) &&
    (status === 204 ? isEmpty : typeOf(answer) === type);
  if (!isExpected) {
    await answer.body?.cancel();
    return answerRefusal(incoming, response, misunderstood(operation));
  }
  returnHeaders(answer, response);
  response.writeHead(status, dataHeaders(status === 204 ? null : withCharset(type)));
  response.flushHeaders();
  await pour(answer.body, response, type === "application/json" ? jsonBytesMax : Number.POSITIVE_INFINITY);
}

function misunderstood({ kind }: Operation) {
  return kind === "write" ? uncertain() : malformed();
}

function typeOf(answer: Response): string {
  return (answer.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

function withCharset(type: string): string {
  return type === "text/plain" ? "text/plain; charset=utf-8" : type;
}

function returnHeaders(answer: Response, response: ServerResponse): void {
  for (const name of returnedHeaders) {
    const value = answer.headers.get(name);
    if (value !== null && headerValue.test(value)) response.setHeader(name, value);
  }
}

/** Writes no faster than the page reads. An answer that breaks off is broken off here too, so that it never looks whole. */
async function pour(
  body: ReadableStream<Uint8Array> | null,
  response: ServerResponse,
  bytesMax: number,
): Promise<void> {
  if (body === null) return void response.end();
  const reader = body.getReader();
  try {
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return void response.end();
      if ((bytes += value.byteLength) > bytesMax || response.destroyed) break;
      if (!response.write(value)) await drained(response);
    }
  } catch {
    // the daemon broke off
  }
  response.destroy();
  await reader.cancel().catch(() => {});
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.once("drain", done).once("close", done);
  });
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    if ((bytes += chunk.byteLength) > errorBytesMax) return "";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The daemon's error, and nothing else of its body. */
function readEnvelope(text: string): { code: string; field: string | null; message: string } | null {
  try {
    const { error } = JSON.parse(text) as { readonly error?: Readonly<Record<string, unknown>> | null };
    const { code, field = null, message } = error ?? {};
    if (typeof code !== "string" || typeof message !== "string") return null;
    return { code, field: typeof field === "string" ? field : null, message };
  } catch {
    return null;
  }
}

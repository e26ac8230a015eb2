import { limits, type Operation } from "@belfry/contract";
import type { Context, MiddlewareHandler } from "hono";
import { AppError } from "../../kernel/errors.ts";

/**
 * Before anything is parsed: what the operation does not take at all, and how much of what it takes. The body is read
 * here, once, and handed on as text.
 */
export function guardInput(operation: Operation): MiddlewareHandler {
  const maxBytes = operation.bodyBytesMax ?? limits.bodyBytesMax;
  const takeText = async (c: Context, next: () => Promise<void>): Promise<void> => {
    takeBody(c, operation, decode(await readAtMost(c.req.raw, maxBytes)));
    await next();
  };
  return (c, next) => {
    if (operation.query === undefined) refuseQuery(c);
    return operation.method === "get" ? next() : takeText(c, next);
  };
}

function refuseQuery(c: Context): void {
  const mark = c.req.url.indexOf("?");
  if (mark < 0) return;
  const [name] = new URLSearchParams(c.req.url.slice(mark + 1)).keys();
  if (name !== undefined) {
    throw new AppError("validation_failed", `there is no query parameter ${name}`, { field: name });
  }
}

/** A told length needs only the telling, which the parser holds the body to; any other is counted as it comes. */
async function readAtMost(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  try {
    if (!request.headers.has("transfer-encoding")) return new Uint8Array(await request.arrayBuffer());
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += part.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      parts.push(part);
    }
    return Buffer.concat(parts, bytes);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("validation_failed", "the body did not arrive whole", { cause: error });
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("payload_too_large", `the body is over ${maxBytes} bytes`);
}

/** Strictly: bytes that are no UTF-8 would be replaced in silence, and another script be kept than was sent. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError("validation_failed", "the body is not valid UTF-8", { cause: error });
  }
}

function takeBody(c: Context, operation: Operation, text: string): void {
  const isNothing = text.trim() === "";
  if (operation.body === undefined) {
    if (!isNothing && text.trim() !== "{}") throw new AppError("validation_failed", "this operation takes no body");
  } else if (!isNothing) {
    refusePrototype(text);
    // where the library that parses looks first
    c.req.bodyCache.text = Promise.resolve(text) as never;
  } else if (operation.bodyOptional === true) {
    c.req.raw = withoutBody(c.req.raw);
  } else {
    throw new AppError("validation_failed", "this operation needs a body");
  }
}

/** The schema library drops such a member in silence, even as the name of an environment variable. */
function refusePrototype(text: string): void {
  if (!/"__proto__"\s*:/.test(text)) return;
  throw new AppError("validation_failed", "there is no member __proto__ here", { field: "__proto__" });
}

/** As if none had been sent: to the library a content type promises a body, and one that was read is one that was sent. */
function withoutBody(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("content-type");
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

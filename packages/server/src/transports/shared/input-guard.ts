import { limits, type Operation } from "@belfry/contract";
import type { Context, MiddlewareHandler, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { AppError } from "../../kernel/errors.ts";

/** Before anything is parsed: what the operation does not take at all, and how much of what it takes. */
export function guardInput(operation: Operation): MiddlewareHandler {
  const maxSize = operation.bodyBytesMax ?? limits.bodyBytesMax;
  const tooLarge = (): never => {
    throw new AppError("payload_too_large", `the body is over ${maxSize} bytes`);
  };
  // counts as it reads; a body whose length is told needs only the telling, which the parser holds it to
  const countBytes = bodyLimit({ maxSize, onError: tooLarge });
  const goOn = async (c: Context, next: Next): Promise<void> => {
    await guardBody(c, operation);
    await next();
  };

  return (c, next) => {
    if (operation.query === undefined) refuseQuery(c);
    if (operation.method === "get") return next();
    if (c.req.header("transfer-encoding") !== undefined) return countBytes(c, () => goOn(c, next));
    if (Number(c.req.header("content-length") ?? 0) > maxSize) tooLarge();
    return goOn(c, next);
  };
}

function refuseQuery(c: Context): void {
  const mark = c.req.url.indexOf("?");
  if (mark < 0) return;
  const [name] = new URLSearchParams(c.req.url.slice(mark + 1)).keys();
  if (name !== undefined) throw new AppError("validation_failed", `there is no query parameter ${name}`, { field: name });
}

async function guardBody(c: Context, operation: Operation): Promise<void> {
  if (operation.body !== undefined && operation.bodyOptional !== true) return;
  const text = (await c.req.text()).trim();
  if (operation.body === undefined) {
    if (text !== "" && text !== "{}") throw new AppError("validation_failed", "this operation takes no body");
    return;
  }
  // a body that may be left out may also be empty, whatever its headers say
  if (text === "") c.req.bodyCache.text = Promise.resolve("{}") as never;
}

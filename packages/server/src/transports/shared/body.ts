import { limits, type Operation } from "@belfry/contract";
import type { IncomingMessage } from "node:http";
import { AppError } from "../../kernel/errors/errors.ts";
import { refuseContent } from "./content-headers.ts";
import { countValues } from "./count-values.ts";
import { parseJson } from "./validation.ts";

/** A request as the listener has it, as far as its headers and its body go. */
export type Incoming = Pick<IncomingMessage, "headers" | "rawHeaders" | "httpVersion" | "on" | "off" | "pause">;

/** Both sides of one exchange. */
export interface BodyConnection {
  readonly incoming: Incoming;
  readonly outgoing: { readonly writeContinue: () => unknown };
}

export interface ParsedBody {
  readonly value: unknown;
  /** Only for a large body: hashing takes as long as parsing. */
  readonly hash: string | null;
}

/** The body as it came. What the headers alone refuse is refused before the body is asked for. */
export async function readBody({ incoming, outgoing }: BodyConnection, operation: Operation): Promise<Uint8Array> {
  const maxBytes = operation.bodyBytesMax ?? limits.bodyBytesMax;
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  refuseContent(incoming);
  if (waitsToBeAsked(incoming)) outgoing.writeContinue();
  return readAtMost(incoming, maxBytes);
}

/** What the operation takes of the body, or undefined where it takes none. An empty body means `{}` where that is allowed. */
export function parseBody(operation: Operation, bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const isNothing = text.trim() === "";
  if (operation.body === undefined) {
    if (!isNothing && text.trim() !== "{}")
      throw new AppError("validation_failed", "this operation does not accept a body: send none");
    return undefined;
  }
  if (isNothing) {
    if (operation.bodyOptional === true) return parseJson(operation.body, {}, operation.example);
    throw new AppError("validation_failed", "this operation requires a body: send JSON");
  }
  const { bodyValuesMax = Infinity } = operation;
  // fewer bytes cannot contain so many values
  if (bytes.length > bodyValuesMax && countValues(bytes, bodyValuesMax + 1) > bodyValuesMax) {
    const most = bodyValuesMax.toLocaleString("en");
    throw new AppError("payload_too_large", `the body has more than ${most} values: split it into several requests`);
  }
  return parseJson(operation.body, readJson(text), operation.example);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError("validation_failed", "the body is not valid JSON", { cause: error });
  }
}

/** An expectation means nothing in HTTP/1.0; any other than this one was refused at the edge. */
function waitsToBeAsked({ headers, httpVersion }: Incoming): boolean {
  return headers.expect !== undefined && httpVersion === "1.1";
}

/** A told length needs only the telling, which the parser holds the body to; any other is counted as it comes. */
function readAtMost(incoming: Incoming, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const onData = (part: Buffer): void => {
      bytes += part.length;
      if (bytes > maxBytes) return finish(() => reject(tooLarge(maxBytes)));
      parts.push(part);
    };
    const onEnd = (): void => finish(() => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts, bytes)));
    const onCut = (error?: Error): void =>
      finish(() =>
        reject(
          new AppError("validation_failed", "the body is incomplete: the connection was closed before its end", {
            cause: error,
          }),
        ),
      );
    const finish = (then: () => void): void => {
      incoming.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut).pause();
      then();
    };
    incoming.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("payload_too_large", `the body must not be larger than ${maxBytes} bytes`);
}

const strictly = new TextDecoder("utf-8", { fatal: true });

/** Strict: invalid UTF-8 would be replaced silently, and a different script would be stored. */
function decode(bytes: Uint8Array): string {
  try {
    return strictly.decode(bytes);
  } catch (error) {
    throw new AppError("validation_failed", "the body is not valid UTF-8", { cause: error });
  }
}

import { limits, type Operation } from "@belfry/contract";
import type { IncomingMessage } from "node:http";
import { AppError } from "../../kernel/errors.ts";
import { countValues } from "./count-values.ts";
import { parseJson } from "./validation.ts";

/** A request as the listener has it, as far as its body goes. */
export type Incoming = Pick<IncomingMessage, "headers" | "on" | "off" | "pause">;

/** A body as it came: whole, and within the operation's size. */
export interface SentBody {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

export interface ParsedBody {
  readonly value: unknown;
  /** Of a large body only: hashing takes as long as parsing. */
  readonly hash: string | null;
}

export async function readBody(incoming: Incoming, operation: Operation): Promise<SentBody> {
  const bytes = await readAtMost(incoming, operation.bodyBytesMax ?? limits.bodyBytesMax);
  return { bytes, contentType: incoming.headers["content-type"] };
}

/** What the operation takes of the body, or undefined where it takes none. An empty body means `{}` where that is allowed. */
export function parseBody(operation: Operation, { bytes, contentType }: SentBody): unknown {
  const text = decode(bytes);
  const isNothing = text.trim() === "";
  if (operation.body === undefined) {
    if (!isNothing && text.trim() !== "{}") throw new AppError("validation_failed", "this operation takes no body");
    return undefined;
  }
  if (isNothing) {
    if (operation.bodyOptional === true) return parseJson(operation.body, {});
    throw new AppError("validation_failed", "this operation needs a body");
  }
  if (!isJsonType(contentType)) {
    throw new AppError("unsupported_media_type", "send the body as Content-Type: application/json");
  }
  const { bodyValuesMax = Infinity } = operation;
  // fewer bytes cannot hold so many
  if (bytes.length > bodyValuesMax && countValues(bytes, bodyValuesMax + 1) > bodyValuesMax) {
    const most = bodyValuesMax.toLocaleString("en");
    throw new AppError("payload_too_large", `the body holds more than ${most} values: send it in several parts`);
  }
  return parseJson(operation.body, readJson(text));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError("validation_failed", "the body is not valid JSON", { cause: error });
  }
}

/** A told length needs only the telling, which the parser holds the body to; any other is counted as it comes. */
function readAtMost(incoming: Incoming, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const parts: Buffer[] = [];
    let bytes = 0;
    const onData = (part: Buffer): void => {
      bytes += part.length;
      if (bytes > maxBytes) return settle(() => reject(tooLarge(maxBytes)));
      parts.push(part);
    };
    const onEnd = (): void => settle(() => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts, bytes)));
    const onCut = (error?: Error): void =>
      settle(() => reject(new AppError("validation_failed", "the body did not arrive whole", { cause: error })));
    const settle = (then: () => void): void => {
      incoming.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut).pause();
      then();
    };
    incoming.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("payload_too_large", `the body is over ${maxBytes} bytes`);
}

const strictly = new TextDecoder("utf-8", { fatal: true });

/** Strictly: bytes that are no UTF-8 would be replaced in silence, and another script be kept than was sent. */
function decode(bytes: Uint8Array): string {
  try {
    return strictly.decode(bytes);
  } catch (error) {
    throw new AppError("validation_failed", "the body is not valid UTF-8", { cause: error });
  }
}

function isJsonType(type: string | undefined): boolean {
  return type !== undefined && /^application\/([a-z.-]+\+)?json\s*(;|$)/i.test(type);
}

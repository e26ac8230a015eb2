import { limits, type Operation } from "@belfry/contract";
import type { IncomingMessage } from "node:http";
import { AppError } from "../../kernel/errors/errors.ts";
import { refuseContent } from "./content-headers.ts";
import { countValues } from "./count-values.ts";
import { refuseMembers } from "./local-members.ts";
import { parseJson } from "./validation.ts";

/** The parts of a request that are needed to read its body. */
export type Incoming = Pick<IncomingMessage, "headers" | "rawHeaders" | "httpVersion" | "on" | "off" | "pause">;

/** Both sides of one exchange. */
export interface BodyConnection {
  readonly incoming: Incoming;
  readonly outgoing: { readonly writeContinue: () => unknown };
}

export interface ParsedBody {
  readonly value: unknown;
  /** The body as it was sent, without the schema's defaults. */
  readonly sent: SentBody;
}

/** A large body is only its hash, because hashing takes as long as parsing. */
export type SentBody = { readonly value: unknown } | { readonly hash: string };

/** Reads the raw body. A request with invalid headers is rejected before its body is read. */
export async function readBody({ incoming, outgoing }: BodyConnection, operation: Operation): Promise<Uint8Array> {
  const maxBytes = operation.bodyBytesMax ?? limits.bodyBytesMax;
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  refuseContent(incoming);
  if (waitsToBeAsked(incoming)) outgoing.writeContinue();
  return readAtMost(incoming, maxBytes);
}

/**
 * Parses the body for the operation; the value is undefined if the operation accepts none. An empty body is read as
 * `{}` if that is allowed. `refused` lists members that this caller may not send.
 */
export function parseBody(
  operation: Operation,
  bytes: Uint8Array,
  refused: readonly string[],
): { readonly value: unknown; readonly sent: unknown } {
  const text = decode(bytes);
  const isNothing = text.trim() === "";
  if (operation.body === undefined) {
    if (!isNothing && text.trim() !== "{}")
      throw new AppError("validation_failed", "this operation does not accept a body: send the request without one");
    return { value: undefined, sent: undefined };
  }
  if (isNothing && operation.bodyOptional !== true)
    throw new AppError("validation_failed", "this operation requires a body: send a JSON object");
  const { bodyValuesMax = Infinity } = operation;
  // fewer bytes cannot contain so many values
  if (bytes.length > bodyValuesMax && countValues(bytes, bodyValuesMax + 1) > bodyValuesMax) {
    const most = bodyValuesMax.toLocaleString("en");
    throw new AppError(
      "payload_too_large",
      `the body has more than ${most} values and member names: send several smaller requests`,
    );
  }
  const sent = isNothing ? {} : readJson(text);
  refuseMembers(sent, refused);
  return { value: parseJson(operation.body, sent, operation.example), sent };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError("validation_failed", "the body is not valid JSON", { cause: error });
  }
}

/**
 * Whether the client waits for `100 Continue`. HTTP/1.0 has no expectations; any other expectation was rejected before.
 */
function waitsToBeAsked({ headers, httpVersion }: Incoming): boolean {
  return headers.expect !== undefined && httpVersion === "1.1";
}

/**
 * Reads at most `maxBytes`. A declared length is checked once, because the parser enforces it; other bodies are counted
 * as they arrive.
 */
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
          new AppError(
            "validation_failed",
            "the body is incomplete, because the connection was closed: send the request again",
            {
              cause: error,
            },
          ),
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

/** Decodes strictly: otherwise invalid UTF-8 would be replaced silently, and a different script would be stored. */
function decode(bytes: Uint8Array): string {
  try {
    return strictly.decode(bytes);
  } catch (error) {
    throw new AppError("validation_failed", "the body is not valid UTF-8", { cause: error });
  }
}

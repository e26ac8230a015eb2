import { WebhookParseError } from "./errors.ts";
import { findViolation } from "./find-violation.ts";
import type { WebhookPayload } from "./payload.ts";

/** The maximum length of a body in bytes: several times the longest that a daemon sends. */
export const webhookBodyBytesMax = 64 * 1024;

/** The body as received, before any parser. A Node `Buffer` is a `Uint8Array`. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Copies the bytes of a body, so that the verified bytes are the parsed ones. Throws if there are too many. */
export function readBytes(rawBody: RawBody): Uint8Array<ArrayBuffer> {
  const view = viewBytes(rawBody);
  if (view.length > webhookBodyBytesMax) {
    throw new WebhookParseError("too_large", `The body is longer than ${webhookBodyBytesMax} bytes.`);
  }
  return new Uint8Array(view);
}

function viewBytes(rawBody: RawBody): Uint8Array {
  // text that is too long stays too long in UTF-8, so encode at most one character over the limit
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody.slice(0, webhookBodyBytesMax + 1));
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  // check the tag: a buffer of another realm is not an instance of this realm's class
  if (Object.prototype.toString.call(rawBody) === "[object ArrayBuffer]") return new Uint8Array(rawBody);
  throw new TypeError(
    "The raw body is neither text nor bytes. Pass the body as received, before any JSON parser (in Express: express.raw).",
  );
}

/** Parses strictly: rejects invalid UTF-8 and a byte order mark, and removes members named `__proto__`. */
export function readPayload(bytes: Uint8Array): WebhookPayload {
  const value = parseJson(bytes);
  const violation = findViolation(value);
  if (violation === null) return checkedPayload(value);
  const { field, problem } = violation;
  throw new WebhookParseError("schema", `${field || "The body"} ${problem}.`, field || null);
}

/** Tests compare the validator with the type. */
function checkedPayload(value: unknown): WebhookPayload {
  return value as WebhookPayload;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return JSON.parse(text, (name, value: unknown) => (name === "__proto__" ? undefined : value));
  } catch {
    // the parser's message quotes the body, so it is not used
    throw new WebhookParseError("not_json", "The body is not JSON in UTF-8, or it is nested too deeply.");
  }
}

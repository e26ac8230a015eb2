import { WebhookParseError } from "./errors.ts";
import { findComplaint } from "./find-complaint.ts";
import type { WebhookPayload } from "./payload.ts";

/** The longest body that is taken, in bytes: several times the longest that a daemon sends. */
export const webhookBodyBytesMax = 64 * 1024;

/** The body as it came over the wire, before any parser. A Node `Buffer` is a `Uint8Array`. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** The bytes of a body, unless there are too many; a copy, so that what was verified is what is read. */
export function readBytes(rawBody: RawBody): Uint8Array<ArrayBuffer> {
  const view = viewOf(rawBody);
  if (view.length > webhookBodyBytesMax) {
    throw new WebhookParseError("too_large", `The body is longer than ${webhookBodyBytesMax} bytes.`);
  }
  return new Uint8Array(view);
}

function viewOf(rawBody: RawBody): Uint8Array {
  // what is too long stays so in UTF-8: only a little more than may be is ever encoded
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody.slice(0, webhookBodyBytesMax + 1));
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  // by its tag: a buffer of another realm is no instance of ours
  if (Object.prototype.toString.call(rawBody) === "[object ArrayBuffer]") return new Uint8Array(rawBody);
  throw new TypeError(
    "The raw body is neither text nor bytes: hand over what was received, before any JSON parser (in Express: express.raw).",
  );
}

/** Strict: invalid UTF-8, a byte order mark and members named `__proto__` do not pass. */
export function readPayload(bytes: Uint8Array): WebhookPayload {
  const value = parseJson(bytes);
  const complaint = findComplaint(value);
  if (complaint === null) return checkedPayload(value);
  const { field, problem } = complaint;
  throw new WebhookParseError("schema", `${field || "The body"} ${problem}.`, field || null);
}

/** No complaint was found: the validator and the type are held together by tests. */
function checkedPayload(value: unknown): WebhookPayload {
  return value as WebhookPayload;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return JSON.parse(text, (name, value: unknown) => (name === "__proto__" ? undefined : value));
  } catch {
    // the parser's own message quotes the body
    throw new WebhookParseError("not_json", "The body is no JSON in UTF-8, or nested too deeply.");
  }
}

import type { IncomingMessage } from "node:http";
import { Refusal } from "./answer.ts";
import { single } from "./check-request.ts";

/**
 * Reads a body of JSON completely, up to `bytesMax`; null if there is none. A body that is cut off is never passed on, so
 * a change is either sent whole or not at all.
 */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const length = single(request, "content-length");
  if (Number(length ?? 0) > bytesMax) throw tooLarge(bytesMax);
  if (single(request, "content-encoding") !== null) throw wrongType();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if ((bytes += chunk.length) > bytesMax) throw tooLarge(bytesMax);
  }
  if (bytes === 0) return null;
  // a form of another page cannot have this type
  if (!/^application\/json(?:\s*;|$)/i.test(single(request, "content-type") ?? "")) throw wrongType();
  return Buffer.concat(chunks);
}

/** Reads an object whose members are texts; others are refused. */
export async function readTexts<const N extends string>(
  request: IncomingMessage,
  names: readonly N[],
  bytesMax: number,
): Promise<Partial<Readonly<Record<N, string>>>> {
  const value = await readJson(request, bytesMax);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(null, "an object is expected");
  const found: Partial<Record<N, string>> = {};
  for (const [name, text] of Object.entries(value)) {
    const known = names.find((one) => one === name);
    if (known === undefined) throw invalid(name, `allowed are only ${names.join(", ")}`);
    if (typeof text !== "string") throw invalid(name, `${name} must be a text`);
    found[known] = text;
  }
  return found;
}

export async function readJson(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  const body = await readBody(request, bytesMax);
  if (body === null) throw invalid(null, "the body is missing");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw invalid(null, "the body is not JSON");
  }
}

export function invalid(field: string | null, message: string): Refusal {
  return new Refusal(400, "validation_failed", { field, message });
}

function tooLarge(bytesMax: number): Refusal {
  return new Refusal(413, "payload_too_large", { message: `the body is over ${bytesMax} bytes` });
}

function wrongType(): Refusal {
  return new Refusal(415, "unsupported_media_type", { message: "the body must be application/json" });
}

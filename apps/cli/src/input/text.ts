import { createReadStream } from "node:fs";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";

interface ReadOptions {
  /** Reading stops after this many bytes (default: no limit). */
  readonly bytesMax?: number;
  /** The error for a longer text. */
  readonly tooLong?: string;
}

/** Reads a file, or standard input for `-`. */
export async function readText(path: string, host: Host, options: ReadOptions = {}): Promise<string> {
  const bytes = await readBytes(path === "-" ? standardInput(host) : readFile(path), options);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usage(`${path === "-" ? "standard input" : path} is not UTF-8 text. Convert it to UTF-8`);
  }
}

/** Reads in chunks, because a device or a pipe may never end. */
async function readBytes(
  input: AsyncIterable<string | Uint8Array>,
  { bytesMax = Number.POSITIVE_INFINITY, tooLong = "the input is too long" }: ReadOptions,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const part of input) {
    const chunk = typeof part === "string" ? Buffer.from(part) : part;
    length += chunk.byteLength;
    if (length > bytesMax) throw usage(tooLong);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* readFile(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    // an error after the file was opened, for example on a directory, has no path
    throw Object.assign(error as Error, { path });
  }
}

function standardInput(host: Host): Host["stdin"] {
  if (host.stdin.isTTY === true) host.stderr.write("Reading from the terminal. End with Ctrl-D\n");
  return host.stdin;
}

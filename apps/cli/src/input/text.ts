import { createReadStream } from "node:fs";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";

interface ReadOptions {
  /** Reading stops beyond it; all is read without one. */
  readonly bytesMax?: number;
  /** Said of what is longer. */
  readonly tooLong?: string;
}

/** The text of a file, or of standard input for `-`. */
export async function readText(path: string, host: Host, options: ReadOptions = {}): Promise<string> {
  const bytes = await readBytes(path === "-" ? standardInput(host) : readFile(path), options);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usage(`${path === "-" ? "standard input" : path} is not UTF-8 text`);
  }
}

/** Piece by piece: a device or a pipe may never end. */
async function readBytes(
  pieces: AsyncIterable<string | Uint8Array>,
  { bytesMax = Number.POSITIVE_INFINITY, tooLong = "it is too long" }: ReadOptions,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const chunk = typeof piece === "string" ? Buffer.from(piece) : piece;
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
    // what fails after the file was opened, as of a directory, does not say of which file
    throw Object.assign(error as Error, { path });
  }
}

function standardInput(host: Host): Host["stdin"] {
  if (host.stdin.isTTY === true) host.stderr.write("Reading from the terminal; end with Ctrl-D\n");
  return host.stdin;
}

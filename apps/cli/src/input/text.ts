import { createReadStream } from "node:fs";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";

interface ReadOptions {
  /** Reading stops after this many bytes (default: no limit). */
  readonly bytesMax?: number;
  /** The error for a longer text. */
  readonly tooLong?: string;
  /** The file as errors name it (default: `the file <path>`). */
  readonly subject?: string;
}

/** Reads a file, or standard input for `-`. */
export async function readText(path: string, host: Host, options: ReadOptions = {}): Promise<string> {
  const bytes = await readBytes(
    path === "-" ? standardInput(host) : readFile(path, options.subject ?? `the file ${path}`),
    options,
  );
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

async function* readFile(path: string, subject: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const why = obstacles.get((error as NodeJS.ErrnoException).code ?? "");
    if (why !== undefined) throw usage(`${subject} ${why}`);
    // an error after the file was opened has no path
    throw Object.assign(error as Error, { path });
  }
}

const obstacles: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist: check the path"],
  ["ENOTDIR", "does not exist, because a part of its path is not a directory: check the path"],
  ["EACCES", "cannot be read by this user: check its permissions"],
  ["EISDIR", "is a directory: give a file"],
]);

function standardInput(host: Host): Host["stdin"] {
  if (host.stdin.isTTY === true) host.stderr.write("Reading from the terminal. End with Ctrl-D\n");
  return host.stdin;
}

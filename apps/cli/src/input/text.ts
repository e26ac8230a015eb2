import { readFile } from "node:fs/promises";
import { usage } from "../failure.ts";
import { gather } from "../gather.ts";
import type { Host } from "../host.ts";

/** The text of a file, or of standard input for `-`. */
export async function readText(path: string, host: Host): Promise<string> {
  const bytes = path === "-" ? await readStandardInput(host) : await readFile(path);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usage(`${path === "-" ? "standard input" : path} is not UTF-8 text`);
  }
}

async function readStandardInput(host: Host): Promise<Uint8Array> {
  if (host.stdin.isTTY === true) host.stderr.write("Reading from the terminal; end with Ctrl-D\n");
  const chunks = await gather(host.stdin);
  return Buffer.concat(chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)));
}

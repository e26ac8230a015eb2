import { Readable } from "node:stream";
import type { Host } from "../src/host.ts";
import { main } from "../src/main.ts";

export interface CallOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** All at once, or piece by piece as it is read. */
  readonly stdin?: string | Iterable<string>;
  /** What a person types, key by key as it comes, at a terminal that is told whether to show it. */
  readonly typed?: { readonly keys: readonly string[]; readonly setRawMode: (isRaw: boolean) => void };
  /** As a person sees it: a terminal of so many columns. */
  readonly columns?: number;
  readonly nowMs?: number;
  /** Told as it is written. */
  readonly onStdout?: (text: string) => void;
  readonly onStderr?: (text: string) => void;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One call of the command in this process, with streams and an environment of its own. */
export async function callBelfry(words: readonly string[], options: CallOptions = {}): Promise<Outcome> {
  const written = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const sink = (name: keyof typeof written) => ({
    write: (data: string | Uint8Array) => {
      written[name].push(typeof data === "string" ? Buffer.from(data) : data);
      (name === "stdout" ? options.onStdout : options.onStderr)?.(Buffer.from(data).toString());
    },
    isTTY: options.columns !== undefined,
    columns: options.columns,
  });
  const host: Host = {
    ownsProcess: false,
    stdin: Object.assign(Readable.from(options.typed?.keys ?? piecesOf(options.stdin)), {
      isTTY: options.stdin === undefined,
      ...(options.typed === undefined ? {} : { setRawMode: options.typed.setRawMode }),
    }),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    environment: options.environment ?? {},
    now: () => options.nowMs ?? Date.now(),
    onInterrupt: () => ({ [Symbol.dispose]: () => {} }),
    exit: (code) => {
      throw new Error(`exited with ${code}`);
    },
  };
  const code = await main(words, host);
  const textOf = (name: keyof typeof written) => Buffer.concat(written[name]).toString("utf8");
  return { code, stdout: textOf("stdout"), stderr: textOf("stderr") };
}

/** A text that is given as such comes in one piece. */
function piecesOf(stdin: CallOptions["stdin"]): Iterable<string> {
  return typeof stdin === "string" ? [stdin] : (stdin ?? []);
}

import { Readable } from "node:stream";
import type { Host } from "../src/host.ts";
import { main } from "../src/main.ts";
import type { Keychain } from "../src/profiles/keychain.ts";

export interface CallOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input: a text is one chunk, and an iterable is read chunk by chunk. */
  readonly stdin?: string | Iterable<string>;
  /** Keys typed at a terminal, and its raw mode. */
  readonly typed?: { readonly keys: readonly string[]; readonly setRawMode: (isRaw: boolean) => void };
  /** The command writes to a terminal of this width. */
  readonly columns?: number;
  readonly nowMs?: number;
  readonly calledAs?: string;
  /** Default: none, so that a test never writes to the keychain of its user. */
  readonly keychain?: Keychain;
  /** Its abort is Ctrl-C. */
  readonly interrupt?: AbortSignal;
  /** Called with each write. */
  readonly onStdout?: (text: string) => void;
  readonly onStderr?: (text: string) => void;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  /** Without the lines of progress, which a terminal shows after a second and which the command erases at its end. */
  readonly stderr: string;
}

function withoutErased(text: string): string {
  const lines = text.split("\n").map((line) => line.split("\r\u001B[K").at(-1));
  return lines.join("\n");
}

/** Runs the command in this process, with its own streams and environment. */
export async function callBelfry(args: readonly string[], options: CallOptions = {}): Promise<Outcome> {
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
    stdin: Object.assign(Readable.from(options.typed?.keys ?? chunksOf(options.stdin)), {
      isTTY: options.stdin === undefined,
      ...(options.typed === undefined ? {} : { setRawMode: options.typed.setRawMode }),
    }),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    environment: options.environment ?? {},
    ...(options.calledAs === undefined ? {} : { calledAs: options.calledAs }),
    keychain: options.keychain ?? null,
    now: () => options.nowMs ?? Date.now(),
    onInterrupt: (work) => {
      options.interrupt?.addEventListener("abort", work);
      return { [Symbol.dispose]: () => options.interrupt?.removeEventListener("abort", work) };
    },
    exit: (code) => {
      throw new Error(`exited with ${code}`);
    },
  };
  const code = await main(args, host);
  const textOf = (name: keyof typeof written) => Buffer.concat(written[name]).toString("utf8");
  return { code, stdout: textOf("stdout"), stderr: withoutErased(textOf("stderr")) };
}

/** A text is one chunk. */
function chunksOf(stdin: CallOptions["stdin"]): Iterable<string> {
  return typeof stdin === "string" ? [stdin] : (stdin ?? []);
}

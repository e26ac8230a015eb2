import type { Keychain } from "./profiles/keychain.ts";

/** An output stream for text and bytes. */
export interface Sink {
  readonly write: (data: string | Uint8Array) => unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** Whether more has been written than was read, so that the rest waits in memory. */
  readonly writableNeedDrain?: boolean;
  readonly on?: (event: "drain" | "close", listener: () => void) => unknown;
  readonly off?: (event: "drain" | "close", listener: () => void) => unknown;
}

/** What a command uses of the process; tests replace it. */
export interface Host {
  /** The command is alone in this process, so its globals may be replaced with faster ones. */
  readonly ownsProcess: boolean;
  readonly stdin: AsyncIterable<string | Uint8Array> & {
    readonly isTTY?: boolean | undefined;
    /** For a terminal: passes on each key immediately, without echo. */
    readonly setRawMode?: (isRaw: boolean) => unknown;
  };
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The name by which the command was called, for hints (default: belfry). */
  readonly calledAs?: string;
  /** The secret store of the operating system; null where it must not be used. */
  readonly keychain: Keychain | null;
  readonly now: () => number;
  /** Calls `work` on Ctrl-C and TERM, until it is disposed. */
  readonly onInterrupt: (work: () => void) => Disposable;
  /** Exits immediately, after an interrupt. Otherwise a command returns its exit code. */
  readonly exit: (code: number) => void;
}

/** A stream that text and bytes go to. */
export interface Sink {
  readonly write: (data: string | Uint8Array) => unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** What the process gives a command; tests give their own. */
export interface Host {
  /** Nobody else runs in this process, so its globals may be replaced by faster ones. */
  readonly ownsProcess: boolean;
  readonly stdin: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean | undefined };
  /** Asks without showing what is typed; null where nobody sits at a terminal. */
  readonly askSecret: ((question: string) => Promise<string>) | null;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Calls `work` on Ctrl-C and TERM, until it is disposed of. */
  readonly onInterrupt: (work: () => void) => Disposable;
  /** At once, for an interrupt; a command that ends by itself returns its exit code. */
  readonly exit: (code: number) => void;
}

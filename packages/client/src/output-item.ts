import type { RunState } from "@belfry/contract";

export type StreamName = "stdout" | "stderr";

/** A piece of a run's output. Offsets count all bytes that the attempt wrote to the stream, including dropped bytes. */
export type OutputItem =
  | {
      readonly kind: "output";
      readonly stream: StreamName;
      readonly offset: number;
      readonly bytes: Uint8Array;
      /** When Belfry read these bytes; absent if not recorded. */
      readonly time?: string | undefined;
    }
  /** `bytes` bytes starting at offset `from` were dropped. */
  | { readonly kind: "cut"; readonly stream: StreamName; readonly from: number; readonly bytes: number }
  /** The last item. */
  | { readonly kind: "end"; readonly state: RunState };

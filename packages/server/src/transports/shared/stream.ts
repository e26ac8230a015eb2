import type { Clock, Timer } from "../../kernel/time/clock.ts";
import type { FrameSink, SseFrame, StreamAnswer } from "../../kernel/operation.ts";

export interface BodyParts {
  readonly clock: Clock;
  /** Breaks the connection: a reader cannot take this for the end of the stream. */
  readonly drop: () => void;
  /** Reports an error of the stream's source; the reader does not get it. */
  readonly onError: (error: unknown) => void;
}

/** A reader that reads nothing for this long is disconnected. */
const stalledMs = 20_000;

/** The size in bytes above which a shared frame is written by itself instead of being copied. */
const copiedMax = 16 * 1024;

const encoder = new TextEncoder();

/**
 * Creates a body that is pulled, never pushed: a slow reader costs no more than one piece and the contents of its
 * socket.
 */
export function bodyOf(
  stream: Exclude<StreamAnswer, { readonly kind: "pushed" }>,
  { clock, drop, onError }: BodyParts,
): ReadableStream<Uint8Array> {
  const chunks = stream.kind === "bytes" ? stream.chunks : framesAsBytes(stream.batches, stream.retryMs);
  const pieces = chunks[Symbol.asyncIterator]();
  let stalled: Timer | null = null;
  let hasLeft = false;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        stalled?.cancel();
        try {
          const next = await pieces.next();
          if (hasLeft) return;
          if (next.done === true) return controller.close();
          controller.enqueue(next.value);
        } catch (error) {
          // the reader disconnected, and the daemon may be closing its source
          if (hasLeft) return;
          onError(error);
          return drop();
        }
        stalled = clock.after(stalledMs, drop);
      },
      cancel: async () => {
        hasLeft = true;
        stalled?.cancel();
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The parts of Node's response that a stream needs. */
export interface Outgoing {
  readonly writeHead: (status: number, headers: Record<string, string>) => unknown;
  readonly write: (bytes: Uint8Array) => boolean;
  readonly on: (event: "drain" | "close", listener: () => void) => unknown;
  readonly end: () => unknown;
  readonly destroy: () => unknown;
  readonly destroyed: boolean;
}

/** Writes pushed frames directly to the socket; a reader that reads nothing for 20 seconds is disconnected. */
export function pushTo(
  outgoing: Outgoing,
  stream: Extract<StreamAnswer, { readonly kind: "pushed" }>,
  clock: Pick<Clock, "after">,
): void {
  let stalled: Timer | null = null;
  const sink: FrameSink = {
    write: (frames) => {
      let isReady = true;
      for (const piece of piecesOf(frames)) isReady = outgoing.write(piece);
      if (!isReady) stalled ??= clock.after(stalledMs, outgoing.destroy.bind(outgoing));
      return isReady;
    },
    end: () => {
      if (!outgoing.destroyed) outgoing.end();
    },
  };
  outgoing.write(encoder.encode(`retry: ${stream.retryMs}\n\n`));
  const source = stream.start(sink);
  outgoing.on("drain", () => {
    stalled?.cancel();
    stalled = null;
    source.onReady();
  });
  outgoing.on("close", () => {
    stalled?.cancel();
    source.close();
  });
}

async function* framesAsBytes(
  batches: AsyncIterable<readonly SseFrame[]>,
  retryMs: number | undefined,
): AsyncGenerator<Uint8Array> {
  if (retryMs !== undefined) yield encoder.encode(`retry: ${retryMs}\n\n`);
  for await (const batch of batches) yield* assemble(batch);
}

/** The bytes of frames that many readers get, created once for the first of them. */
const assembled = new WeakMap<readonly SseFrame[], readonly Uint8Array[]>();

function piecesOf(batch: readonly SseFrame[]): readonly Uint8Array[] {
  const known = assembled.get(batch);
  if (known !== undefined) return known;
  const pieces = assemble(batch);
  assembled.set(batch, pieces);
  return pieces;
}

/** Joins short pieces into one write; passes long pieces on without a copy. */
function assemble(batch: readonly SseFrame[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let short: (string | Uint8Array)[] = [];
  for (const frame of batch) {
    if (!("shared" in frame)) short.push(textOf(frame));
    else {
      short.push(`id: ${frame.id}\n`);
      if (frame.shared.length > copiedMax) {
        pieces.push(join(short), frame.shared);
        short = [];
      } else short.push(frame.shared);
    }
  }
  if (short.length > 0) pieces.push(join(short));
  return pieces;
}

/** Joins all parts in one allocation: a buffer for each frame and reader would be most of the cost of a burst. */
function join(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const lengths = parts.map((part) => (typeof part === "string" ? Buffer.byteLength(part) : part.length));
  const joined = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  parts.forEach((part, index) => {
    if (typeof part === "string") joined.write(part, at);
    else joined.set(part, at);
    at += lengths[index]!;
  });
  return joined;
}

function textOf(frame: Exclude<SseFrame, { readonly shared: Uint8Array }>): string {
  if ("comment" in frame) return `:${frame.comment}\n\n`;
  return `${frame.id === undefined ? "" : `id: ${frame.id}\n`}event: ${frame.event}\ndata: ${frame.json}\n\n`;
}

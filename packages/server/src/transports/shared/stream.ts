import type { Clock, Timer } from "../../kernel/clock.ts";
import type { SseFrame, StreamAnswer } from "../../kernel/operation.ts";

export interface BodyParts {
  readonly clock: Clock;
  /** Breaks the connection off: the one end that no reader can take for the end of the stream. */
  readonly drop: () => void;
  /** What went wrong while the stream was made; its reader is told nothing of it. */
  readonly onError: (error: unknown) => void;
}

/** A reader that takes nothing for so long is gone, whatever its socket says. */
const stalledMs = 20_000;

const encoder = new TextEncoder();

/** A body that is pulled, never pushed: a slow reader costs what is in its socket and one piece, no more. */
export function bodyOf(stream: StreamAnswer, { clock, drop, onError }: BodyParts): ReadableStream<Uint8Array> {
  const chunks = stream.kind === "bytes" ? stream.chunks : framesAsBytes(stream.batches, stream.retryMs);
  const pieces = chunks[Symbol.asyncIterator]();
  let stalled: Timer | null = null;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        stalled?.cancel();
        try {
          const next = await pieces.next();
          if (next.done === true) return controller.close();
          controller.enqueue(next.value);
        } catch (error) {
          onError(error);
          return drop();
        }
        stalled = clock.after(stalledMs, drop);
      },
      cancel: async () => {
        stalled?.cancel();
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* framesAsBytes(
  batches: AsyncIterable<readonly SseFrame[]>,
  retryMs: number | undefined,
): AsyncGenerator<Uint8Array> {
  if (retryMs !== undefined) yield encoder.encode(`retry: ${retryMs}\n\n`);
  for await (const batch of batches) yield encoder.encode(batch.map(textOf).join(""));
}

function textOf(frame: SseFrame): string {
  if ("comment" in frame) return `:${frame.comment}\n\n`;
  return `${frame.id === undefined ? "" : `id: ${frame.id}\n`}event: ${frame.event}\ndata: ${frame.json}\n\n`;
}

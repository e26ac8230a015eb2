import type { outputOperations } from "@belfry/contract";
import { type Clock, sleep } from "../../kernel/time/clock.ts";
import { AppError, invalid } from "../../kernel/errors/errors.ts";
import type { OperationsOf, SseFrame } from "../../kernel/operation.ts";
import { streamNames, type StreamName } from "../../runner/protocol/messages.ts";
import { outputFolders } from "../../runner/places.ts";
import { attemptNumber, type AttemptRow, type Lifecycle, type RunStore } from "../runs/index.ts";
import { type KeptPiece, readKept } from "./kept-files.ts";

export interface OutputDeps {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly store: RunStore;
  readonly lifecycle: Lifecycle;
}

/** Pause between two looks at the files of a running attempt. */
const lookAgainMs = 100;

interface Following {
  readonly runId: string;
  readonly attempt: number | null;
  readonly streams: readonly StreamName[];
  readonly offset: number;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

type Piece = KeptPiece & { readonly stream: StreamName };

/** Serves a run's output from the runner's files, even if the daemon was not running when it was written. */
export function serveOutput(deps: OutputDeps): OperationsOf<typeof outputOperations> {
  const { clock, dataDir, store, lifecycle } = deps;

  return {
    "runs.output": {
      handle: ({ params, query, wantsEvents, signal }) => {
        const run = lifecycle.get(params.id);
        const stream = query.stream ?? (wantsEvents ? "both" : "stdout");
        if (stream === "both" && !wantsEvents)
          throw invalid(
            "stream",
            "stream must be stdout or stderr for raw output: send Accept: text/event-stream to read both",
          );
        if (stream === "both" && query.offset !== undefined)
          throw invalid("offset", "offset is only for a single stream: set stream to stdout or stderr");
        const attempts = attemptNumber(run);
        if (query.attempt !== undefined && query.attempt > attempts) {
          const count = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
          throw new AppError("not_found", `attempt ${query.attempt} does not exist: the run has ${count} so far`, {
            field: "attempt",
          });
        }
        const following: Following = {
          runId: run.id,
          attempt: query.attempt ?? (run.attempt === 0 ? null : run.attempt),
          streams: stream === "both" ? streamNames : [stream],
          offset: query.offset ?? 0,
          follow: query.follow ?? false,
          signal,
        };
        return wantsEvents
          ? { kind: "events", batches: asEvents(following) }
          : { kind: "bytes", chunks: asBytes(following) };
      },
    },
  };

  async function* asBytes(following: Following): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces(following)) if ("bytes" in piece) yield piece.bytes;
  }

  async function* asEvents(following: Following): AsyncGenerator<readonly SseFrame[]> {
    for await (const piece of pieces(following)) yield [frameOf(piece)];
    // retention may have deleted the run meanwhile
    const run = store.find(following.runId);
    if (run !== undefined) yield [{ event: "end", json: JSON.stringify({ state: run.state }) }];
  }

  /** Checks whether the attempt has ended before it reads the files, so that no byte before the end is missed. */
  async function* pieces(following: Following): AsyncGenerator<Piece> {
    const attempt = await attemptOf(following);
    if (attempt === null) return;
    const offsets = new Map(following.streams.map((stream) => [stream, following.offset]));
    for (;;) {
      const isEnded = store.findAttempt(attempt.id)?.endedAt !== null;
      for (const stream of following.streams) {
        for await (const piece of readKept(outputFolders(dataDir, attempt.id), stream, offsets.get(stream)!)) {
          offsets.set(stream, "bytes" in piece ? piece.offset + piece.bytes.length : piece.cut.from + piece.cut.bytes);
          yield { ...piece, stream };
        }
      }
      if (isEnded || !following.follow || !(await pause(following.signal))) return;
    }
  }

  /** Waits for an attempt that has not begun, if the caller follows it. */
  async function attemptOf(following: Following): Promise<AttemptRow | null> {
    for (;;) {
      const run = store.find(following.runId);
      const number = following.attempt ?? run?.attempt ?? 0;
      const attempt = number === 0 ? undefined : store.findAttemptOf(following.runId, number);
      if (attempt !== undefined) return attempt;
      if (run === undefined || run.endedAt !== null || !following.follow || !(await pause(following.signal)))
        return null;
    }
  }

  /** Waits until the next look; returns false if the reader has disconnected. */
  function pause(signal: AbortSignal): Promise<boolean> {
    return sleep(clock, lookAgainMs, signal).then(
      () => true,
      () => false,
    );
  }
}

function frameOf(piece: Piece): SseFrame {
  if ("bytes" in piece) {
    return {
      event: "output",
      json: JSON.stringify({
        stream: piece.stream,
        offset: piece.offset,
        base64: Buffer.from(piece.bytes).toString("base64"),
      }),
    };
  }
  return { event: "cut", json: JSON.stringify({ stream: piece.stream, ...piece.cut }) };
}

import type { outputOperations } from "@belfry/contract";
import { type Clock, sleep } from "../../../kernel/time/clock.ts";
import { AppError } from "../../../kernel/errors/errors.ts";
import { heartbeat, heartbeatMs } from "../../../kernel/heartbeat.ts";
import type { OperationsOf, SseFrame } from "../../../kernel/operation.ts";
import { outputFolders } from "../../../runner/places.ts";
import { type AttemptRow, attemptNumber, type Lifecycle, type RunStore } from "../../runs/index.ts";
import { OrderedReader } from "./ordered-reader.ts";
import { batchFrames } from "./output-frames.ts";
import { readOutputQuery, type WantedOutput } from "./output-query.ts";
import { readStream } from "./read-stream.ts";
import { findStart } from "./start-offsets.ts";

export interface OutputDeps {
  /** The clock of the heartbeats. */
  readonly clock: Pick<Clock, "monotonicMs">;
  /** The clock of the looks at the files, which a process of the real world writes. */
  readonly fileClock: Clock;
  readonly dataDir: string;
  readonly store: RunStore;
  readonly lifecycle: Lifecycle;
}

/** Pause between two looks at the files of a running attempt. */
const lookAgainMs = 100;

interface Reading extends WantedOutput {
  readonly runId: string;
  readonly attempt: number | null;
  readonly signal: AbortSignal;
}

/** Serves a run's output from the runner's files, even if the daemon was not running when it was written. */
export function serveOutput(deps: OutputDeps): OperationsOf<typeof outputOperations> {
  const { clock, fileClock, dataDir, store, lifecycle } = deps;

  return {
    "runs.output": {
      handle: ({ params, query, wantsEvents, signal }) => {
        const run = lifecycle.get(params.id);
        const wanted = readOutputQuery(query, wantsEvents);
        const attempts = attemptNumber(run);
        if (query.attempt !== undefined && query.attempt > attempts) {
          const count = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
          throw new AppError("not_found", `attempt ${query.attempt} does not exist: the run has ${count} so far`, {
            field: "attempt",
          });
        }
        const attempt = query.attempt ?? (run.attempt === 0 ? null : run.attempt);
        const reading: Reading = { ...wanted, runId: run.id, attempt, signal };
        return wantsEvents
          ? { kind: "events", batches: asEvents(reading) }
          : { kind: "bytes", chunks: asBytes(reading) };
      },
    },
  };

  async function* asBytes(reading: Reading): AsyncGenerator<Uint8Array> {
    let attempt: AttemptRow | null = null;
    for await (attempt of looksForAttempt(reading));
    if (attempt === null) return;
    const stream = reading.streams[0]!;
    const place = { folders: outputFolders(dataDir, attempt.id), streams: reading.streams, attempt };
    let at = (await findStart(place, reading.start))[stream];
    for await (const _ of looks(attempt, reading)) {
      for await (const piece of readStream(place.folders, stream, at)) {
        at = "bytes" in piece ? piece.offset + piece.bytes.length : piece.cut.from + piece.cut.bytes;
        if ("bytes" in piece) yield piece.bytes;
      }
    }
  }

  async function* asEvents(reading: Reading): AsyncGenerator<readonly SseFrame[]> {
    let quietSinceMs = clock.monotonicMs();
    const isQuiet = () => clock.monotonicMs() - quietSinceMs >= heartbeatMs;
    const give = (batch: readonly SseFrame[]) => {
      quietSinceMs = clock.monotonicMs();
      return batch;
    };
    // a former daemon sends no heartbeats: the first one shows the reader that more will follow
    if (reading.follow) yield give([heartbeat]);
    let attempt: AttemptRow | null = null;
    for await (attempt of looksForAttempt(reading)) if (isQuiet()) yield give([heartbeat]);
    if (attempt !== null) {
      const place = { folders: outputFolders(dataDir, attempt.id), streams: reading.streams, attempt };
      const reader = new OrderedReader({ ...place, from: await findStart(place, reading.start) });
      for await (const look of looks(attempt, reading)) {
        for await (const batch of batchFrames(reader.look(look))) yield give(batch);
        if (isQuiet()) yield give([heartbeat]);
      }
    }
    // retention may have deleted the run meanwhile
    const run = store.find(reading.runId);
    if (run !== undefined) yield [{ event: "end", json: JSON.stringify({ state: run.state }) }];
  }

  /**
   * Says when to look at the files. It checks whether the attempt has ended before each look, so that no byte before
   * the end is missed.
   */
  async function* looks(
    attempt: AttemptRow,
    { follow, signal }: Reading,
  ): AsyncGenerator<{ readonly isLast: boolean }> {
    for (let isLast = false; !isLast;) {
      isLast = !follow || store.findAttempt(attempt.id)?.endedAt !== null;
      yield { isLast };
      if (!isLast && !(await pause(signal))) return;
    }
  }

  /** Yields null while the caller follows an attempt that has not begun, and then the attempt, if it begins. */
  async function* looksForAttempt({
    runId,
    attempt: wanted,
    follow,
    signal,
  }: Reading): AsyncGenerator<AttemptRow | null> {
    for (;;) {
      const run = store.find(runId);
      const number = wanted ?? run?.attempt ?? 0;
      const attempt = number === 0 ? undefined : store.findAttemptOf(runId, number);
      yield attempt ?? null;
      if (attempt !== undefined || run === undefined || run.endedAt !== null) return;
      if (!follow || !(await pause(signal))) return;
    }
  }

  /** Waits until the next look; returns false if the reader has disconnected. */
  function pause(signal: AbortSignal): Promise<boolean> {
    return sleep(fileClock, lookAgainMs, signal).then(
      () => true,
      () => false,
    );
  }
}

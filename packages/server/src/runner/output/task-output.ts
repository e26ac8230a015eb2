import { type Clock, within } from "../../kernel/time/clock.ts";
import { KeptOutput } from "./kept-output.ts";
import type { StreamEnd, StreamName } from "../protocol/messages.ts";
import type { OpenFiles } from "../processes/limits.ts";
import { OutputPipe } from "./output-pipe.ts";

/** How long the run waits after its main process for pipes that remaining processes hold open. */
export const drainTimeoutMs = 950;

export interface TaskOutputOptions {
  readonly folder: string;
  readonly bytesMax: number;
  readonly clock: Clock;
  readonly openFiles: Pick<OpenFiles, "moveUp">;
  readonly onFailure: (stream: StreamName, error: unknown) => void;
}

/** Both output streams of a task, from its pipes to its kept files. */
export class TaskOutput {
  /** Resolves when no process holds either pipe any more. */
  readonly closed: Promise<unknown>;
  readonly #streams: Readonly<Record<StreamName, { readonly kept: KeptOutput; readonly pipe: OutputPipe }>>;
  readonly #clock: Clock;
  readonly #openFiles: TaskOutputOptions["openFiles"];

  constructor(ends: Readonly<Record<StreamName, number>>, options: TaskOutputOptions) {
    const { folder, bytesMax, clock, onFailure } = options;
    const open = (stream: StreamName) => {
      const kept = new KeptOutput({ folder, stream, bytesMax, onFailure: (error) => onFailure(stream, error) });
      return { kept, pipe: new OutputPipe(ends[stream], kept) };
    };
    this.#streams = { stdout: open("stdout"), stderr: open("stderr") };
    this.closed = Promise.all(Object.values(this.#streams).map(({ pipe }) => pipe.closed));
    this.#clock = clock;
    this.#openFiles = options.openFiles;
  }

  /**
   * Keeps the output so far, and drops what remaining processes write later. Call it at the end of the main process.
   */
  async finish(): Promise<Readonly<Record<StreamName, StreamEnd>>> {
    await within(this.#clock, drainTimeoutMs, this.closed);
    const [stdout, stderr] = await Promise.all([this.#finishStream("stdout"), this.#finishStream("stderr")]);
    return { stdout, stderr };
  }

  async #finishStream(stream: StreamName): Promise<StreamEnd> {
    const { pipe, kept } = this.#streams[stream];
    await pipe.emptied(this.#clock);
    pipe.drop(this.#openFiles);
    return kept.close();
  }
}

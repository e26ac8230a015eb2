import { type Clock, within } from "../../kernel/time/clock.ts";
import { type StreamName, streamNames } from "../protocol/messages.ts";
import type { OpenFiles } from "../processes/limits.ts";
import { OrderedOutput, type OrderedOutputOptions, type OutputEnd } from "./ordered-output.ts";
import { OutputPipe } from "./output-pipe.ts";

/** How long the run waits after its main process for pipes that remaining processes hold open. */
export const drainTimeoutMs = 950;

export interface TaskOutputOptions extends OrderedOutputOptions {
  readonly clock: Clock;
  readonly openFiles: Pick<OpenFiles, "moveUp">;
}

/** Both output streams of a task, from its pipes to its kept files. */
export class TaskOutput {
  /** Resolves when no process holds either pipe any more. */
  readonly closed: Promise<unknown>;
  readonly #ordered: OrderedOutput;
  readonly #pipes: readonly OutputPipe[];
  readonly #clock: Clock;
  readonly #openFiles: TaskOutputOptions["openFiles"];

  constructor(ends: Readonly<Record<StreamName, number>>, options: TaskOutputOptions) {
    const ordered = new OrderedOutput(options);
    this.#ordered = ordered;
    this.#pipes = streamNames.map(
      (stream) => new OutputPipe(ends[stream], { add: (chunk) => ordered.add(stream, chunk) }),
    );
    this.closed = Promise.all(this.#pipes.map(({ closed }) => closed));
    this.#clock = options.clock;
    this.#openFiles = options.openFiles;
  }

  /**
   * Keeps the output so far, and drops what remaining processes write later. Call it at the end of the main process.
   */
  async finish(): Promise<OutputEnd> {
    await within(this.#clock, drainTimeoutMs, this.closed);
    await Promise.all(this.#pipes.map((pipe) => this.#finishPipe(pipe)));
    return this.#ordered.close();
  }

  async #finishPipe(pipe: OutputPipe): Promise<void> {
    await pipe.emptied(this.#clock);
    pipe.drop(this.#openFiles);
  }
}

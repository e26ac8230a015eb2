import type { Clock } from "../../kernel/time/clock.ts";
import { KeptOutput } from "./kept-output.ts";
import type { StreamEnd, StreamName } from "../protocol/messages.ts";
import { OutputPipe } from "./output-pipe.ts";

/** How long after the main process's end its pipes may stay open, held by processes it left, before the run ends without them. */
export const drainMs = 950;

export interface TaskOutputOptions {
  readonly folder: string;
  readonly bytesMax: number;
  readonly clock: Clock;
  readonly onFailure: (stream: StreamName, error: unknown) => void;
}

/** Both output streams of a task, from its pipes to its kept files. */
export class TaskOutput {
  /** No process holds either pipe any more. */
  readonly closed: Promise<unknown>;
  readonly #streams: Readonly<Record<StreamName, { readonly kept: KeptOutput; readonly pipe: OutputPipe }>>;
  readonly #clock: Clock;

  constructor(ends: Readonly<Record<StreamName, number>>, { folder, bytesMax, clock, onFailure }: TaskOutputOptions) {
    const open = (stream: StreamName) => {
      const kept = new KeptOutput({ folder, stream, bytesMax, onFailure: (error) => onFailure(stream, error) });
      return { kept, pipe: new OutputPipe(ends[stream], kept) };
    };
    this.#streams = { stdout: open("stdout"), stderr: open("stderr") };
    this.closed = Promise.all(Object.values(this.#streams).map(({ pipe }) => pipe.closed));
    this.#clock = clock;
  }

  /** Call it at the end of the main process: keeps what it wrote, and from then on drops what others write. */
  async finish(): Promise<Readonly<Record<StreamName, StreamEnd>>> {
    await this.#closedOrTimeIsUp();
    const [stdout, stderr] = await Promise.all([this.#finishStream("stdout"), this.#finishStream("stderr")]);
    return { stdout, stderr };
  }

  async #closedOrTimeIsUp(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.after(drainMs, resolve);
    void this.closed.then(() => resolve());
    await promise;
    timer.cancel();
  }

  async #finishStream(stream: StreamName): Promise<StreamEnd> {
    const { pipe, kept } = this.#streams[stream];
    await pipe.emptied(this.#clock);
    pipe.drop();
    return kept.close();
  }
}

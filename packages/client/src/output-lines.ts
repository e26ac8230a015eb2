import type { OutputItem } from "./output-item.ts";

/** The first part of a line that is yielded in parts. It does not end within a character of two code units. */
const longPart = /^[^]{65535}[\uDC00-\uDFFF]?/;

/** A line of a run's output. */
export interface OutputLine {
  readonly stream: "stdout" | "stderr";
  /** When Belfry read the first byte of the line; absent if not recorded. */
  readonly time?: string | undefined;
  /** The line without its end, decoded as UTF-8. */
  readonly text: string;
  /** False for a line without an end: the last one, one before dropped bytes, or a part of a line of 65,535 characters or more. */
  readonly isWhole: boolean;
  /** The number of bytes that were dropped before this line. */
  readonly droppedBefore: number;
}

/** Turns pieces of output into lines. Each line is yielded when it is complete. */
export async function* readOutputLines(items: AsyncIterable<OutputItem>): AsyncGenerator<OutputLine, void, undefined> {
  const streams = { stdout: new LineBuffer("stdout"), stderr: new LineBuffer("stderr") };
  for await (const item of items) {
    if (item.kind === "output") yield* streams[item.stream].add(item);
    else if (item.kind === "cut") yield* streams[item.stream].drop(item);
  }
  yield* streams.stdout.end();
  yield* streams.stderr.end();
}

/** The unfinished line of one stream. */
class LineBuffer {
  readonly #stream: OutputLine["stream"];
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #text = "";
  #time: string | undefined;
  #droppedBefore = 0;

  constructor(stream: OutputLine["stream"]) {
    this.#stream = stream;
  }

  *add({
    bytes,
    time,
  }: Pick<Extract<OutputItem, { kind: "output" }>, "bytes" | "time">): Generator<OutputLine, void, undefined> {
    const parts = this.#decoder.decode(bytes, { stream: true }).split("\n");
    for (const [index, part] of parts.entries()) {
      if (this.#text === "") this.#time = time;
      this.#text += part;
      for (let long; (long = longPart.exec(this.#text)?.[0]) !== undefined;) yield this.#take(long, false);
      if (index < parts.length - 1) yield this.#take(this.#text, true);
    }
  }

  /** Ends the line before dropped bytes. */
  *drop({ bytes }: { readonly bytes: number }): Generator<OutputLine, void, undefined> {
    yield* this.end();
    this.#droppedBefore += bytes;
  }

  *end(): Generator<OutputLine, void, undefined> {
    this.#text += this.#decoder.decode();
    if (this.#text !== "" || this.#droppedBefore > 0) yield this.#take(this.#text, false);
  }

  #take(text: string, isWhole: boolean): OutputLine {
    const line = { stream: this.#stream, time: this.#time, text, isWhole, droppedBefore: this.#droppedBefore };
    this.#text = this.#text.slice(text.length);
    this.#droppedBefore = 0;
    return line;
  }
}

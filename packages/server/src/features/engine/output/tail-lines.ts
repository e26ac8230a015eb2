import type { StreamOffsets } from "../../../runner/output/order-record.ts";
import type { StreamName } from "../../../runner/protocol/messages.ts";

const newline = 10;
/** How far back the start of a line is looked for, once there are enough lines. */
export const lineBytesMax = 64 * 1024;

/** Finds where the last lines of one or more streams begin, from bytes that are given from the last to the first. */
export class TailLines {
  #counted = 0;
  readonly #max: number;
  readonly #starts: Record<StreamName, number>;
  readonly #seen = new Set<StreamName>();
  /** Lines that were counted at their end, and whose start is not found yet: where they end. */
  readonly #open = new Map<StreamName, number>();

  constructor(max: number, ends: StreamOffsets) {
    this.#max = max;
    this.#starts = { ...ends };
  }

  /** Whether bytes of the stream before those given can change the result. */
  needs(stream: StreamName): boolean {
    return this.#counted < this.#max || this.#open.has(stream);
  }

  addBefore(stream: StreamName, offset: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    // the end of a stream ends a line, unless a newline is there
    if (!this.#seen.has(stream) && bytes.at(-1) !== newline) this.#count(stream, offset + bytes.length);
    this.#seen.add(stream);
    for (let at = bytes.length; at > 0 && this.needs(stream);) {
      at = bytes.lastIndexOf(newline, at - 1);
      if (at < 0) break;
      this.#begin(stream, offset + at + 1);
      this.#count(stream, offset + at + 1);
    }
    const end = this.#open.get(stream) ?? 0;
    if (this.#counted === this.#max && end - offset >= lineBytesMax) this.#begin(stream, offset);
  }

  /** Where each stream begins, once no more bytes are needed, or there are none. */
  starts(): StreamOffsets {
    if (this.#counted < this.#max) return { stdout: 0, stderr: 0 };
    for (const stream of this.#open.keys()) this.#starts[stream] = 0;
    return this.#starts;
  }

  #count(stream: StreamName, end: number): void {
    if (this.#counted === this.#max) return;
    this.#counted += 1;
    this.#open.set(stream, end);
  }

  /** Notes where the open line of the stream begins, if it has one. */
  #begin(stream: StreamName, offset: number): void {
    const end = this.#open.get(stream);
    if (end === undefined) return;
    this.#open.delete(stream);
    this.#starts[stream] = this.#counted < this.#max ? offset : Math.max(offset, end - lineBytesMax);
  }
}

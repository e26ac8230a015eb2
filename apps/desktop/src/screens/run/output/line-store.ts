import type { OutputItem } from "@belfry/client";
import { plain, readAnsi, type Style } from "./ansi.ts";

type StreamName = "stdout" | "stderr";

/** A line as the run wrote it. An open one may still grow. */
export interface Line {
  readonly is: "line";
  /** Counted from 1 over both streams, in the order in which lines begin. */
  readonly number: number;
  readonly stream: StreamName;
  readonly time: string | undefined;
  readonly text: string;
  /** How its first character looks, because colours last beyond the end of a line. */
  readonly style: Style;
  readonly isOpen: boolean;
}

/** Bytes that were not kept. */
export interface Gap {
  readonly is: "gap";
  readonly stream: StreamName;
  readonly bytes: number;
}

export type Row = Line | Gap;

export interface LineLimits {
  /** Fewer rows are kept than this, and fewer characters: the oldest give way. */
  readonly rows: number;
  readonly characters: number;
}

const defaultLimits: LineLimits = { rows: 50_000, characters: 32 * 1_024 * 1_024 };
/** A longer line goes on in the next one. */
const lineMax = 65_536;

interface Stream {
  readonly decoder: TextDecoder;
  /** The place of its open line among all rows there ever were, or null. */
  open: number | null;
  style: Style;
}

/** The output of one attempt in lines, as much of it as a page keeps. */
export class LineStore {
  readonly #limits: LineLimits;
  readonly #streams: Readonly<Record<StreamName, Stream>> = { stdout: newStream(), stderr: newStream() };
  #rows: Row[] = [];
  /** The number of rows that gave way. */
  #dropped = 0;
  #characters = 0;
  #lines = 0;
  #bytes = 0;

  constructor(limits: LineLimits = defaultLimits) {
    this.#limits = limits;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** How many rows are no longer kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many lines there are, with those that are no longer kept. */
  get lineCount(): number {
    return this.#lines;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0 && this.#rows.length === 0;
  }

  add(item: OutputItem): void {
    if (item.kind === "output") this.#write(item.stream, item.bytes, item.time);
    else if (item.kind === "cut") this.#cut(item.stream, item.bytes);
    else for (const name of ["stdout", "stderr"] as const) this.#finish(name);
    this.#shrink();
  }

  /** The place of a line among the kept rows, or null. */
  placeOf(number: number): number | null {
    let low = 0;
    let high = this.#rows.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = this.#numberAt(middle);
      if (at < number) low = middle + 1;
      else high = middle - 1;
    }
    for (let place = low; place < this.#rows.length; place++) {
      const row = this.#rows[place]!;
      if (row.is === "line") return row.number === number ? place : null;
    }
    return null;
  }

  /** The number of the line here or, at a gap, of the line before it. */
  #numberAt(place: number): number {
    for (let at = place; at >= 0; at--) {
      const row = this.#rows[at]!;
      if (row.is === "line") return row.number;
    }
    return 0;
  }

  #write(name: StreamName, bytes: Uint8Array, time: string | undefined): void {
    this.#bytes += bytes.length;
    const parts = this.#streams[name].decoder.decode(bytes, { stream: true }).split("\n");
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      if (part !== "" || !isLast) this.#append(name, part, time);
      if (!isLast) this.#close(name);
    }
  }

  #append(name: StreamName, added: string, time: string | undefined): void {
    const stream = this.#streams[name];
    let rest = added;
    do {
      const before = this.#openLine(name);
      const whole = afterReturn((before?.text ?? "") + rest);
      const text = whole.slice(0, lineMax);
      rest = whole.slice(lineMax);
      this.#characters += text.length - (before?.text.length ?? 0);
      if (before === null) {
        stream.open = this.#dropped + this.#rows.length;
        this.#lines += 1;
        const { style } = stream;
        this.#rows.push({ is: "line", number: this.#lines, stream: name, time, text, style, isOpen: true });
      } else this.#rows[stream.open! - this.#dropped] = { ...before, text };
      if (rest !== "") this.#close(name);
    } while (rest !== "");
  }

  #openLine(name: StreamName): Line | null {
    const { open } = this.#streams[name];
    return open === null ? null : (this.#rows[open - this.#dropped] as Line);
  }

  #close(name: StreamName): void {
    const stream = this.#streams[name];
    const line = this.#openLine(name);
    if (line === null) return;
    const text = line.text.endsWith("\r") ? line.text.slice(0, -1) : line.text;
    this.#characters -= line.text.length - text.length;
    this.#rows[stream.open! - this.#dropped] = { ...line, text, isOpen: false };
    stream.style = readAnsi(text, line.style).style;
    stream.open = null;
  }

  #finish(name: StreamName): void {
    const rest = this.#streams[name].decoder.decode();
    if (rest !== "") this.#append(name, rest, undefined);
    this.#close(name);
  }

  #cut(name: StreamName, bytes: number): void {
    this.#finish(name);
    const last = this.#rows.at(-1);
    if (last?.is === "gap" && last.stream === name)
      this.#rows[this.#rows.length - 1] = { ...last, bytes: last.bytes + bytes };
    else this.#rows.push({ is: "gap", stream: name, bytes });
  }

  #shrink(): void {
    const { rows, characters } = this.#limits;
    if (this.#rows.length <= rows && this.#characters <= characters) return;
    // a tenth at once, so that each line is moved only some times
    let gone = Math.max(0, this.#rows.length - Math.floor(rows * 0.9));
    let left = this.#characters;
    for (const row of this.#rows.slice(0, gone)) left -= row.is === "line" ? row.text.length : 0;
    for (; left > characters && gone < this.#rows.length - 1; gone++) {
      const row = this.#rows[gone]!;
      left -= row.is === "line" ? row.text.length : 0;
    }
    for (const name of ["stdout", "stderr"] as const) {
      const { open } = this.#streams[name];
      // a line that gave way goes on as another one
      if (open !== null && open < this.#dropped + gone) this.#close(name);
    }
    this.#characters = left;
    this.#rows = this.#rows.slice(gone);
    this.#dropped += gone;
  }
}

/** What a terminal shows of a line that returns to its start: what was written last. */
function afterReturn(text: string): string {
  const at = text.lastIndexOf("\r", text.length - 2);
  return at === -1 || text.length < 2 ? text : text.slice(at + 1);
}

function newStream(): Stream {
  return { decoder: new TextDecoder("utf-8", { ignoreBOM: true }), open: null, style: plain };
}

import type { StreamName } from "../../../runner/protocol/messages.ts";
import { type KeptPiece, readKept } from "./kept-files.ts";

/** Reads the files of one stream forward, in parts of any size, through one buffer. */
export class StreamCursor implements AsyncDisposable {
  #at: number;
  #ahead: KeptPiece | null = null;
  #pieces: AsyncGenerator<KeptPiece> | null = null;
  readonly #folders: readonly string[];
  readonly #stream: StreamName;

  constructor(folders: readonly string[], stream: StreamName, at: number) {
    this.#folders = folders;
    this.#stream = stream;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  async hasMore(): Promise<boolean> {
    return (await this.#peek()) !== null;
  }

  /** Takes the next bytes before `end`, or a cut, which may end after it; null if there is nothing. */
  async take(end: number): Promise<KeptPiece | null> {
    const next = this.#at < end ? await this.#peek() : null;
    if (next === null) return null;
    this.#ahead = null;
    if ("cut" in next) {
      this.#at = next.cut.from + next.cut.bytes;
      return next;
    }
    const bytes = next.bytes.subarray(0, end - next.offset);
    this.#at += bytes.length;
    if (bytes.length < next.bytes.length) this.#ahead = { offset: this.#at, bytes: next.bytes.subarray(bytes.length) };
    return { offset: next.offset, bytes };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pieces?.return(undefined);
  }

  async #peek(): Promise<KeptPiece | null> {
    this.#ahead ??= (await this.#next()) ?? (await this.#restart());
    return this.#ahead;
  }

  async #next(): Promise<KeptPiece | null> {
    const next = await this.#pieces?.next();
    return next === undefined || next.done === true ? null : next.value;
  }

  /** Finds what was written since the files were read to their end. */
  #restart(): Promise<KeptPiece | null> {
    this.#pieces = readKept(this.#folders, this.#stream, this.#at);
    return this.#next();
  }
}

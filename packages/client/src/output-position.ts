import type { QueryOf } from "./caller.ts";
import type { OutputItem, StreamName } from "./output-item.ts";

type Query = QueryOf<"runs.output">;
type Piece = Exclude<OutputItem, { kind: "end" }>;

const nowhere = { offset: undefined, tail: undefined, since: undefined } satisfies Query;

/** How far each stream of an attempt was read, so that reading continues there after a broken connection. */
export class OutputPosition {
  readonly #query: Query;
  readonly #readUpTo = new Map<StreamName, number>();
  /** Whether the query asks for a part of the output by lines or by time. */
  readonly #isPartial: boolean;
  #lastTime: string | undefined;
  /** The time of the last piece before the connection broke. */
  #resumedAt: string | undefined;

  constructor(query: Query) {
    this.#query = query;
    this.#isPartial = (query.tail ?? query.since) !== undefined;
  }

  /** The changes to the query before it is sent again. */
  start(): Query {
    const { stream = "both" } = this.#query;
    if (this.#readUpTo.size === 0) return {};
    if (stream !== "both") return { ...nowhere, offset: this.#startOf(stream) };
    this.#resumedAt = this.#lastTime;
    // a former daemon rejects an offset for each stream, and records no times
    if (!this.#isPartial && this.#lastTime === undefined) return nowhere;
    return { ...nowhere, stdout_offset: this.#startOf("stdout"), stderr_offset: this.#startOf("stderr") };
  }

  /** Returns the part of a piece that was not read before, or null. */
  take(piece: Piece): Piece | null {
    if (this.#isBeforeTail(piece)) return null;
    const fresh = dropBefore(piece, this.#startOf(piece.stream));
    if (fresh === null) return null;
    this.#readUpTo.set(fresh.stream, endOf(fresh));
    if (fresh.kind === "output") this.#lastTime = fresh.time ?? this.#lastTime;
    return fresh;
  }

  #startOf(stream: StreamName): number {
    return this.#readUpTo.get(stream) ?? this.#query[`${stream}_offset`] ?? this.#query.offset ?? 0;
  }

  /**
   * With `tail` or `since`, the offset where a stream without pieces began is unknown, so after a broken connection the
   * stream is read from its start. Pieces come in the order of their times, so its older ones are not asked for.
   */
  #isBeforeTail(piece: Piece): boolean {
    const at = this.#resumedAt;
    if (!this.#isPartial || at === undefined || this.#readUpTo.has(piece.stream)) return false;
    return piece.kind === "cut" || (piece.time ?? at) < at;
  }
}

function endOf(piece: Piece): number {
  return piece.kind === "output" ? piece.offset + piece.bytes.length : piece.from + piece.bytes;
}

/** The part of a piece at or after `offset`, or null. */
function dropBefore(piece: Piece, offset: number): Piece | null {
  if (endOf(piece) <= offset) return null;
  if ((piece.kind === "cut" ? piece.from : piece.offset) >= offset) return piece;
  if (piece.kind === "cut") return { ...piece, from: offset, bytes: endOf(piece) - offset };
  return { ...piece, offset, bytes: piece.bytes.subarray(offset - piece.offset) };
}

import { limits } from "@belfry/contract";
import { createHash } from "node:crypto";
import { invalid } from "../errors/errors.ts";

/** Where a page begins: after this row, in `(at, id)` order, newest first. */
export interface PageStart {
  readonly at: number;
  readonly id: string;
}

export interface Page {
  readonly limit: number;
  readonly after: PageStart | null;
}

interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The limit of lists without a default limit: more than a client can request. */
const wholeMax = Number.MAX_SAFE_INTEGER - 1;

export interface ListRequest<TRow> {
  readonly operation: string;
  readonly query: PageRequest & Readonly<Record<string, unknown>>;
  /** Without a limit, the list is complete instead of the first hundred. */
  readonly whole?: boolean;
  /** Reads `limit + 1` rows, so that the last page knows it is the last. */
  readonly find: (page: Page) => readonly TRow[];
  readonly startOf: (row: TRow) => PageStart;
}

export interface ListPage<TRow> {
  readonly rows: readonly TRow[];
  readonly next_cursor: string | null;
}

/**
 * Reads one page of a list. A cursor contains its position and a hash of the operation and filters: any other list
 * rejects it.
 */
export function readList<TRow>({ operation, query, whole, find, startOf }: ListRequest<TRow>): ListPage<TRow> {
  const scope = scopeOf(operation, query);
  const limit = query.limit ?? (whole === true ? wholeMax : limits.listDefault);
  const rows = find({ limit, after: query.cursor === undefined ? null : readCursor(query.cursor, scope) });
  if (rows.length <= limit) return { rows, next_cursor: null };
  const kept = rows.slice(0, limit);
  return { rows: kept, next_cursor: writeCursor(startOf(kept.at(-1)!), scope) };
}

function readCursor(cursor: string, scope: string): PageStart {
  const match = /^([0-9a-z]+)\.([^.]+)\.([0-9a-f]{12})$/.exec(Buffer.from(cursor, "base64url").toString("utf8"));
  if (match === null || match[3] !== scope)
    throw invalid("cursor", "cursor is not valid for this list and these filters: start again without a cursor");
  return { at: Number.parseInt(match[1]!, 36), id: match[2]! };
}

function writeCursor({ at, id }: PageStart, scope: string): string {
  return Buffer.from(`${at.toString(36)}.${id}.${scope}`).toString("base64url");
}

function scopeOf(operation: string, query: Readonly<Record<string, unknown>>): string {
  const filters = Object.entries(query)
    .filter(([name, value]) => name !== "limit" && name !== "cursor" && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([operation, filters]))
    .digest("hex")
    .slice(0, 12);
}

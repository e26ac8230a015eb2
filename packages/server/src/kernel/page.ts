import { limits } from "@belfry/contract";
import { createHash } from "node:crypto";
import { invalid } from "./errors.ts";

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

/** More than a client can ask for: lists that come whole. */
const wholeMax = Number.MAX_SAFE_INTEGER - 1;

/** A cursor carries its place and a seal over operation and filters: with others it is refused. */
export function readPage(
  operation: string,
  query: PageRequest & Readonly<Record<string, unknown>>,
  options: { readonly whole?: boolean } = {},
): Page {
  const limit = query.limit ?? (options.whole === true ? wholeMax : limits.listDefault);
  if (query.cursor === undefined) return { limit, after: null };
  const match = /^([0-9a-z]+)\.([^.]+)\.([0-9a-f]{12})$/.exec(Buffer.from(query.cursor, "base64url").toString("utf8"));
  if (match === null || match[3] !== scopeOf(operation, query)) {
    throw invalid("cursor", "this cursor is of another list or other filters: begin again without it");
  }
  return { limit, after: { at: Number.parseInt(match[1]!, 36), id: match[2]! } };
}

/** Takes `limit + 1` rows, so that the last page knows it is the last. */
export function cutPage<T>(
  rows: readonly T[],
  page: Page,
  next: {
    readonly operation: string;
    readonly query: Readonly<Record<string, unknown>>;
    readonly startOf: (row: T) => PageStart;
  },
): { readonly rows: readonly T[]; readonly nextCursor: string | null } {
  if (rows.length <= page.limit) return { rows, nextCursor: null };
  const kept = rows.slice(0, page.limit);
  const { at, id } = next.startOf(kept.at(-1)!);
  const text = `${at.toString(36)}.${id}.${scopeOf(next.operation, next.query)}`;
  return { rows: kept, nextCursor: Buffer.from(text).toString("base64url") };
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

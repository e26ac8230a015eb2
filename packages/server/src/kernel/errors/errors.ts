import type { ErrorCode } from "@belfry/contract";
import { isId } from "../ids.ts";
import { excerpt, excerptEach } from "../log/redact.ts";

interface AppErrorOptions {
  readonly field?: string | null;
  /** What it concerns where the path does not name it; for the audit trail only. */
  readonly resourceId?: string;
  readonly cause?: unknown;
}

/**
 * An expected failure. The message is safe for any caller; what is not stays in `cause`, for the log. Every refusal is
 * made here, so this is where nothing that a caller sent is repeated at length, and no trigger's key at all.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly field: string | null;
  readonly resourceId: string | null;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(excerptEach(message), { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.field = options.field === undefined || options.field === null ? null : excerpt(options.field);
    this.resourceId = options.resourceId ?? null;
  }
}

export function invalid(field: string, message: string): AppError {
  return new AppError("validation_failed", message, { field });
}

/** An id from a path is quoted only if it has the form of an id; no other part of a path is ever quoted. */
export function notFound(kind: string, id: string, field: string | null = null): AppError {
  const named = isId(id) ? `${kind} ${id}` : field === null ? `${kind} with this id` : `${kind} ${JSON.stringify(id)}`;
  return new AppError("not_found", `there is no ${named}`, { field });
}

/** Carries the answer of a dry run out of its transaction, which is then rolled back. */
export class DryRunRollback extends Error {
  readonly answer: object;

  constructor(answer: object) {
    super("a dry run is rolled back");
    this.name = "DryRunRollback";
    this.answer = answer;
  }
}

/** Why the daemon cannot start, in one sentence for a person; `bin.ts` prints it and exits. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StartError";
  }
}

/** SQLite met a damaged page while it read or wrote these tables. */
export class DamageError extends Error {
  readonly tables: readonly string[];

  constructor(tables: readonly string[], cause: unknown) {
    super(`the database is damaged${tables.length === 0 ? "" : ` (table ${tables.join(" or ")})`}`, { cause });
    this.name = "DamageError";
    this.tables = tables;
  }
}

/** The damage that an error or one of its causes reports. */
export function findDamage(error: unknown): DamageError | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof DamageError) return at;
  return null;
}

/** The database file was removed or replaced: a commit now would be lost. */
export class StorageGoneError extends Error {
  constructor() {
    super("the database was removed or replaced while the daemon was running");
    this.name = "StorageGoneError";
  }
}

/** The SQLite code of an error or one of its causes; null for any other error. */
export function sqliteCode(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && at.code.startsWith("SQLITE_")) return at.code;
  }
  return null;
}

/** The database cannot be written: nothing was changed. */
export function isStorageFailure(error: unknown): boolean {
  if (error instanceof StorageGoneError) return true;
  const code = sqliteCode(error);
  return code !== null && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED)/.test(code);
}

/**
 * For the log, which holds nothing that a client has sent. Drizzle puts parameters into its message, so only the cause of
 * such an error is described; the messages of JSON.parse and of Node's argument checks quote their input, so they are left out.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // it has no name of its own
  if ("query" in error && "params" in error) return describeError(error.cause);
  const code = sqliteCode(error);
  const cause = error.cause === undefined ? "" : `; cause: ${describeError(error.cause)}`;
  return `${quotesInput(error) ? withoutMessage(error) : (error.stack ?? error.message)}${code === null ? "" : ` [${code}]`}${cause}`;
}

function quotesInput(error: Error): boolean {
  return error instanceof SyntaxError || ("code" in error && String(error.code).startsWith("ERR_"));
}

function withoutMessage(error: Error): string {
  const name = "code" in error ? `${error.name} [${String(error.code)}]` : error.name;
  // a message may have lines that look like frames
  const frames = error.stack?.split(error.message).at(-1) ?? "";
  return `${name}${frames}`;
}

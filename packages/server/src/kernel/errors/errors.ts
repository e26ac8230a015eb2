import type { ErrorCode } from "@belfry/contract";
import { isId } from "../ids.ts";
import { excerpt, excerptEach } from "../log/redact.ts";

interface AppErrorOptions {
  readonly field?: string | null;
  /** The resource that the error concerns, if the path does not name it; for the audit trail only. */
  readonly resourceId?: string;
  readonly cause?: unknown;
}

/**
 * An expected failure. The message is safe for any caller; details that are not safe go into `cause`, for the log. The
 * constructor shortens every value that a caller sent, and removes the secret part of trigger
 * keys and access tokens.
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

/**
 * Makes the error for a missing resource. An id from a path is quoted only if it has the form of an id; no other part
 * of a path is ever quoted.
 */
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

/** The reason why the daemon cannot start, in one sentence for a person; `run-daemon.ts` prints it and exits. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StartError";
  }
}

/** SQLite found a damaged page while it read or wrote these tables. */
export class DamageError extends Error {
  readonly tables: readonly string[];

  constructor(tables: readonly string[], cause: unknown) {
    super(`the database is damaged${tables.length === 0 ? "" : ` (table ${tables.join(" or ")})`}`, { cause });
    this.name = "DamageError";
    this.tables = tables;
  }
}

/** Finds the damage that an error or one of its causes reports. */
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

/** Returns the SQLite code of an error or one of its causes; null for any other error. */
export function sqliteCode(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && at.code.startsWith("SQLITE_")) return at.code;
  }
  return null;
}

/** Whether the database could not be written, so that nothing was changed. */
export function isStorageFailure(error: unknown): boolean {
  if (error instanceof StorageGoneError) return true;
  const code = sqliteCode(error);
  return code !== null && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED)/.test(code);
}

/**
 * Describes an error for the log, without anything that a client has sent. Drizzle puts parameters into its message, so
 * only the cause of its errors is described. The messages of JSON.parse and of Node's argument checks quote their
 * input, so they are left out.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Drizzle's error has no name of its own
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

/** The base class of every error of this package. It contains no request headers or bodies, so it can be logged. */
export class BelfryError extends Error {
  override get name(): string {
    return "BelfryError";
  }

  /** For structured logs; `JSON.stringify` of an ordinary error is `{}`. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message };
  }
}

/**
 * The daemon was not reached, or the connection broke during a read. Nothing was changed. If the connection breaks after a
 * mutation was sent, the error is an {@link UncertainOutcomeError} instead.
 */
export class ConnectionError extends BelfryError {
  /** The system's error code, such as `ENOENT`, `ECONNREFUSED` or `EACCES`, or null. */
  readonly code: string | null;

  constructor(message: string, details: { readonly code?: string | undefined; readonly cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.code = details.code ?? null;
  }

  override get name(): string {
    return "ConnectionError";
  }
}

/** A call had no complete answer within `timeoutMs`, and nothing was changed. If a mutation was sent, the error is an {@link UncertainOutcomeError} instead. */
export class TimeoutError extends BelfryError {
  override get name(): string {
    return "TimeoutError";
  }
}

/** The call's `signal` was aborted before anything changed. `cause` is the signal's reason. */
export class AbortError extends BelfryError {
  constructor(signal: AbortSignal) {
    super("The call was aborted.", { cause: signal.reason });
  }

  override get name(): string {
    return "AbortError";
  }
}

/** The daemon uses another protocol version, or the server is not a Belfry daemon. Nothing was changed. */
export class CompatibilityError extends BelfryError {
  override get name(): string {
    return "CompatibilityError";
  }
}

/** Whether an error came from this package. */
export function isBelfryError(error: unknown): error is BelfryError {
  return error instanceof BelfryError;
}

/** Whether an error is a {@link ConnectionError}: the daemon could not be reached, or the connection broke during a read. */
export function isConnectionError(error: unknown): error is ConnectionError {
  return error instanceof ConnectionError;
}

/** Whether a call took longer than its `timeoutMs`, and nothing was changed. */
export function isTimeoutError(error: unknown): error is TimeoutError {
  return error instanceof TimeoutError;
}

/** Whether the caller's `signal` aborted the call. */
export function isAbortError(error: unknown): error is AbortError {
  return error instanceof AbortError;
}

/** Whether the daemon uses another protocol version, or the server is not a Belfry daemon. */
export function isCompatibilityError(error: unknown): error is CompatibilityError {
  return error instanceof CompatibilityError;
}

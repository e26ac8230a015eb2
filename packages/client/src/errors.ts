/** What every error of this package is. It prints no request: neither bodies nor headers are kept in it. */
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
 * The daemon was not reached, or the connection broke before a read was complete. Nothing was changed: a mutation that
 * had left when its connection broke is an {@link UncertainOutcomeError} instead.
 */
export class ConnectionError extends BelfryError {
  /** The system's code, such as `ENOENT`, `ECONNREFUSED` or `EACCES`, where there is one. */
  readonly code: string | null;

  constructor(message: string, details: { readonly code?: string | undefined; readonly cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.code = details.code ?? null;
  }

  override get name(): string {
    return "ConnectionError";
  }
}

/** No answer within `timeoutMs`. Only reads end this way; a mutation that had left is an {@link UncertainOutcomeError}. */
export class TimeoutError extends BelfryError {
  override get name(): string {
    return "TimeoutError";
  }
}

/** The call's own `signal` was aborted before anything changed; `cause` is the signal's reason. */
export class AbortError extends BelfryError {
  constructor(signal: AbortSignal) {
    super("The call was aborted.", { cause: signal.reason });
  }

  override get name(): string {
    return "AbortError";
  }
}

/** The daemon speaks another protocol than this client, or what answers is no Belfry daemon. Nothing was changed. */
export class CompatibilityError extends BelfryError {
  override get name(): string {
    return "CompatibilityError";
  }
}

/** Whether an error came from this package. */
export function isBelfryError(error: unknown): error is BelfryError {
  return error instanceof BelfryError;
}

/** Whether the daemon could not be reached. */
export function isConnectionError(error: unknown): error is ConnectionError {
  return error instanceof ConnectionError;
}

/** Whether a read took longer than its `timeoutMs`. */
export function isTimeoutError(error: unknown): error is TimeoutError {
  return error instanceof TimeoutError;
}

/** Whether the caller's own `signal` ended the call. */
export function isAbortError(error: unknown): error is AbortError {
  return error instanceof AbortError;
}

/** Whether client and daemon do not understand each other. */
export function isCompatibilityError(error: unknown): error is CompatibilityError {
  return error instanceof CompatibilityError;
}

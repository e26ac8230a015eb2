import type { EventKind, Hello, Hint } from "@belfry/contract";
import { ApiError, isApiError } from "./api-error.ts";
import type { Resync } from "./api/events.ts";
import { backoffMs } from "./backoff.ts";
import type { Client } from "./create-client.ts";
import { type BelfryError, CompatibilityError, ConnectionError, isBelfryError } from "./errors.ts";
import { isTransient } from "./retry.ts";
import { sleep } from "./sleep.ts";
import { GrantReducedError, IdentityError, TrustError } from "./trust-errors.ts";

/** Why a monitor stops: waiting fixes none of these. */
export type StopReason = "authentication" | "revocation" | "authorization" | "compatibility" | "trust" | "identity";

/**
 * The state of a monitor:
 *
 * - *connecting*: it checks the daemon's health and opens the event stream. It changes to *connected* when the stream
 *   starts, to *waiting* after a temporary failure, and to *stopped* after any other failure.
 * - *connected*: the daemon answers, and events arrive. It changes to *waiting* when the stream ends or breaks, and to
 *   *stopped* if the daemon then refuses the client.
 * - *waiting*: it tries again after `retryInMs`, and changes to *connecting*.
 * - *stopped*: it does not try again. Create another monitor after the user has fixed the cause.
 */
export type MonitorState =
  | { readonly state: "connecting" }
  | { readonly state: "connected"; readonly hello: Hello }
  | { readonly state: "waiting"; readonly error: BelfryError; readonly failures: number; readonly retryInMs: number }
  | { readonly state: "stopped"; readonly reason: StopReason; readonly error: BelfryError };

/** The options of a monitor. */
export interface MonitorOptions {
  /** Ends the monitor. */
  readonly signal?: AbortSignal | undefined;
  /** Called at each change of state. */
  readonly onState?: ((state: MonitorState) => void) | undefined;
  /** Called for each event, and for a `resync` item after each connection and gap: then reload the state that you keep. */
  readonly onEvent?: ((event: Hint | Resync) => void) | undefined;
  /** The kinds of events to receive, at least one. Default: all. */
  readonly kinds?: readonly EventKind[] | undefined;
  /** Returns the milliseconds to wait after `failures` consecutive failures. Default {@link backoffMs}: random, at most 500 ms after the first failure, and at most 30 s. */
  readonly delayMs?: ((failures: number) => number) | undefined;
}

/**
 * Watches a daemon: checks its health, follows its events, and connects again after temporary failures. It never changes
 * anything. Resolves with null when `signal` is aborted, or with the last state if the monitor has stopped.
 *
 * ```ts
 * const stopped = await monitor(client, { signal, onState: (state) => show(state), onEvent: () => refresh() });
 * if (stopped?.reason === "revocation") askToEnrollAgain();
 * ```
 */
export async function monitor(
  client: Client,
  options: MonitorOptions = {},
): Promise<Extract<MonitorState, { state: "stopped" }> | null> {
  const { signal, onState, delayMs = backoffMs } = options;
  const isAborted = () => signal?.aborted === true;
  let failures = 0;
  while (!isAborted()) {
    onState?.({ state: "connecting" });
    const error = await follow(client, options, () => (failures = 0));
    if (isAborted()) break;
    const reason = stopReasonOf(error);
    if (reason !== null) {
      const stopped = { state: "stopped", reason, error } as const;
      onState?.(stopped);
      return stopped;
    }
    failures += 1;
    const retryInMs = delayMs(failures);
    onState?.({ state: "waiting", error, failures, retryInMs });
    await sleep(retryInMs, signal);
  }
  return null;
}

/** Follows one stream to its end. Returns why it ended. */
async function follow(client: Client, options: MonitorOptions, onConnected: () => void): Promise<BelfryError> {
  const { signal, onState, onEvent, kinds } = options;
  try {
    await client.health.get({ signal });
    const onConnect = (hello: Hello) => {
      onConnected();
      onState?.({ state: "connected", hello });
    };
    const events = client.events.subscribe({ signal, kinds, onConnect, reconnect: false });
    for await (const event of events) onEvent?.(event);
    return new ConnectionError("The daemon ended the event stream.");
  } catch (error) {
    if (isBelfryError(error)) return error;
    throw error;
  }
}

/** The reason to stop, or null if the failure is temporary. */
function stopReasonOf(error: BelfryError): StopReason | null {
  if (error instanceof TrustError) return "trust";
  if (error instanceof IdentityError) return "identity";
  if (error instanceof GrantReducedError) return "authorization";
  if (error instanceof CompatibilityError) return "compatibility";
  if (isApiError(error, "unauthorized")) return "authentication";
  if (isApiError(error, "credential_revoked")) return "revocation";
  if (isApiError(error, "forbidden") || isApiError(error, "origin_rejected")) return "authorization";
  // a daemon that rejects the health check or the stream itself is not one that this version understands
  if (error instanceof ApiError && !isTransient(error)) return "compatibility";
  return null;
}

import {
  backoffMs,
  type BelfryError,
  type Client,
  type EventKind,
  isApiError,
  monitor,
  type MonitorState,
} from "@belfry/client";
import type { QueryClient } from "@tanstack/react-query";
import { PausedStreamError } from "../shell/shell.ts";
import { type Connection, connection } from "./connection.ts";
import { describeError, isCutOff } from "./errors.ts";
import { createRefresh } from "./refresh-queries.ts";

/** Somebody waits for a daemon that is down, and its capability may be raised again. */
const retryMaxMs = 10_000;

/** Follows the daemon's events, and has what they concern read again, until `signal` is aborted. */
export async function refreshByEvents(client: Client, queries: QueryClient, signal: AbortSignal): Promise<void> {
  const refresh = createRefresh(queries, signal);
  const options = {
    signal,
    onState: showState,
    onEvent: ({ kind }: { readonly kind: EventKind | "resync" }) => refresh(kind === "resync" ? "all" : kind),
    delayMs: (failures: number) => Math.min(retryMaxMs, backoffMs(failures)),
  };
  while ((await monitor(client, options)) !== null) await sleep(retryMaxMs, signal);
}

function showState(now: MonitorState): void {
  if (now.state === "connected") connection.set({ is: "live" });
  if (now.state !== "waiting" && now.state !== "stopped") return;
  const former = connection.get();
  // the break of the stream says less than the refusal that may follow it, and what is known is from before both
  const since = former.is === "offline" ? former.since : former.is === "live" ? heardUntil(now.error) : null;
  connection.set({
    is: "offline",
    since,
    problem: isApiError(now.error) ? describeError(now.error).text : now.error.message,
    cause: causeOf(now.error),
  });
}

/** Until when the screens heard of changes. A pause or a silence is known to be a break only long after it began. */
function heardUntil(error: BelfryError): number {
  const now = Date.now();
  if (error instanceof PausedStreamError) return Math.min(error.pausedAt, now);
  // the SDK does not export the class of its error of a silent stream
  return "silenceMs" in error && typeof error.silenceMs === "number" ? now - error.silenceMs : now;
}

function causeOf(error: unknown): Extract<Connection, { is: "offline" }>["cause"] {
  if (isApiError(error)) return error.status === 401 || error.status === 403 ? "forbidden" : "refused";
  return isCutOff(error) ? "cut-off" : "silent";
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}

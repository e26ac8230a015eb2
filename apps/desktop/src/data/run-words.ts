import type { Run } from "@belfry/client";
import type { StatusKind } from "../components/status.tsx";

type State = Run["state"];

const kinds: Readonly<Record<State, StatusKind>> = {
  queued: "queued",
  dispatching: "queued",
  running: "running",
  cancelling: "running",
  succeeded: "success",
  failed: "failure",
  cancelled: "cancelled",
  skipped: "skipped",
};

const words: Readonly<Record<State, string>> = {
  queued: "Queued",
  dispatching: "Starting",
  running: "Running",
  cancelling: "Cancelling",
  succeeded: "Succeeded",
  failed: "Failed",
  cancelled: "Cancelled",
  skipped: "Skipped",
};

/** A newer daemon may have states that are not known here. */
export function runKind(state: State): StatusKind {
  return kinds[state] ?? "attention";
}

export function runWord(state: State): string {
  return words[state] ?? state;
}

/** The state of a run, where it is known whether an attempt has failed: a queued run then waits for the next one. */
export function runStateWord({ state, attempt }: { readonly state: State; readonly attempt: number }): string {
  return isBeforeRetry({ state, attempt }) ? "Waits to retry" : runWord(state);
}

/** A queued run has the number of its next attempt, and none before its first. */
export function isBeforeRetry({ state, attempt }: { readonly state: State; readonly attempt: number }): boolean {
  return state === "queued" && attempt > 1;
}

export function isActive(state: State): boolean {
  return state === "dispatching" || state === "running" || state === "cancelling";
}

export function hasEnded(state: State): boolean {
  return !isActive(state) && state !== "queued";
}

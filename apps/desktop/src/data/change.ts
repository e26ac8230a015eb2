import { isUncertainOutcomeError, type UncertainOutcomeError } from "@belfry/client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { isOutdatedCode } from "./errors.ts";

/** Where a change is. `uncertain`: its answer was lost, and nothing sends it again by itself. */
export type ChangeState =
  | { readonly is: "idle" }
  | { readonly is: "pending" }
  | { readonly is: "failed"; readonly error: unknown }
  | {
      readonly is: "uncertain";
      readonly error: UncertainOutcomeError;
      readonly found: "unknown" | "not_committed" | "committed" | "looking" | null;
    };

export interface Change<A extends readonly unknown[]> {
  readonly state: ChangeState;
  readonly isPending: boolean;
  /** Sending it again might do it twice: its answer was lost, and it is not known that it was not carried out. */
  readonly mayBeDone: boolean;
  readonly run: (...args: A) => void;
  /** Asks the daemon what became of a change whose answer was lost. */
  readonly lookAgain: () => void;
  readonly reset: () => void;
}

/** Sends a change once. After it, or if what it changes is outdated, everything on the screen is read again. */
export function useChange<A extends readonly unknown[], T>(
  send: (...args: A) => Promise<T>,
  onDone?: (result: T, ...args: A) => void,
): Change<A> {
  const queries = useQueryClient();
  const [state, setState] = useState<ChangeState>({ is: "idle" });
  const start = async (...args: A): Promise<void> => {
    setState({ is: "pending" });
    try {
      const result = await send(...args);
      setState({ is: "idle" });
      void queries.invalidateQueries();
      onDone?.(result, ...args);
    } catch (error) {
      if (isUncertainOutcomeError(error)) setState({ is: "uncertain", error, found: null });
      else setState({ is: "failed", error });
      if (isOutdatedCode(error)) void queries.invalidateQueries();
    }
  };
  const look = async (error: UncertainOutcomeError): Promise<void> => {
    setState({ is: "uncertain", error, found: "looking" });
    const found = await error.settle().catch(() => "unknown" as const);
    void queries.invalidateQueries();
    setState({ is: "uncertain", error, found });
  };
  return {
    state,
    isPending: state.is === "pending",
    mayBeDone: state.is === "uncertain" && state.found !== "not_committed",
    run: (...args) => void (state.is === "pending" ? null : start(...args)),
    lookAgain: () => void (state.is === "uncertain" ? look(state.error) : null),
    reset: useCallback(() => setState({ is: "idle" }), []),
  };
}

/** The answer of a change was lost, and the daemon has said since that it carried the change out. */
export function isKnownDone({ state }: Pick<Change<never>, "state">): boolean {
  return state.is === "uncertain" && state.found === "committed";
}

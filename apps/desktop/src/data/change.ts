import { type Client, isUncertainOutcomeError, type UncertainOutcomeError } from "@belfry/client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { isOutdatedCode } from "./errors.ts";
import { useSession } from "./session.tsx";

/** Where a change is. `uncertain`: its answer was lost, and nothing sends it again by itself. */
export type ChangeState =
  | { readonly is: "idle" }
  | { readonly is: "pending" }
  | { readonly is: "failed"; readonly error: unknown }
  | {
      readonly is: "uncertain";
      readonly error: UncertainOutcomeError;
      readonly found: "unknown" | "not_committed" | "committed" | "looking" | null;
      /** The id of what it created, once it is known that it did. */
      readonly madeId?: string | null;
    };

export interface Change<A extends readonly unknown[]> {
  readonly state: ChangeState;
  readonly isPending: boolean;
  /** Sending it again might do it twice: its answer was lost, and it is not known that it was not carried out. */
  readonly mayBeDone: boolean;
  /** Does nothing while the former one is on its way. */
  readonly run: (...args: A) => void;
  /** Asks the daemon what became of a change whose answer was lost. */
  readonly lookAgain: () => void;
  /** Forgets the result. Does nothing while one is awaited: it would come to whatever is asked next. */
  readonly reset: () => void;
}

/**
 * Sends a change once. After it, or if what it changes is outdated, everything on the screen is read again. A result is for
 * the page that asked: once that was left, `onDone` is not called. If `onDone` returns a promise, such as that of the way to
 * another page, the change is pending until it resolves: a form that is just being left cannot be sent again.
 */
export function useChange<A extends readonly unknown[], T>(
  send: (...args: A) => Promise<T>,
  onDone?: (result: T, ...args: A) => void | Promise<void>,
): Change<A> {
  const queries = useQueryClient();
  const { client } = useSession();
  const [state, setState] = useState<ChangeState>({ is: "idle" });
  // a second click may come before the state of the first is drawn
  const newest = useRef(state);
  // only the newest question may be answered: each has a number
  const number = useRef(0);
  useEffect(() => () => void (number.current += 1), []);
  const put = useCallback((next: ChangeState): void => {
    newest.current = next;
    setState(next);
  }, []);
  const start = async (...args: A): Promise<void> => {
    const own = ++number.current;
    put({ is: "pending" });
    let result: T;
    try {
      result = await send(...args);
    } catch (error) {
      if (isOutdatedCode(error)) void queries.invalidateQueries();
      if (own !== number.current) return;
      if (isUncertainOutcomeError(error)) put({ is: "uncertain", error, found: null });
      else put({ is: "failed", error });
      return;
    }
    void queries.invalidateQueries();
    if (own !== number.current) return;
    const leaving = onDone?.(result, ...args);
    if (leaving !== undefined) await leaving;
    if (own === number.current) put({ is: "idle" });
  };
  const look = async (error: UncertainOutcomeError): Promise<void> => {
    const own = ++number.current;
    put({ is: "uncertain", error, found: "looking" });
    const found = await error.settle().catch(() => "unknown" as const);
    const madeId = found === "committed" ? await findMade(client, error) : null;
    void queries.invalidateQueries();
    if (own === number.current) put({ is: "uncertain", error, found, madeId });
  };
  return {
    state,
    isPending: state.is === "pending",
    mayBeDone: state.is === "uncertain" && state.found !== "not_committed",
    run: (...args) => void (newest.current.is === "pending" ? null : start(...args)),
    lookAgain: () => {
      const { current } = newest;
      if (current.is === "uncertain" && current.found !== "looking") void look(current.error);
    },
    reset: useCallback(() => {
      if (!isOnItsWay({ state: newest.current })) put({ is: "idle" });
    }, [put]),
  };
}

/** The change was sent, or asked about, and its answer is still to come. */
export function isOnItsWay({ state }: Pick<Change<never>, "state">): boolean {
  return state.is === "pending" || (state.is === "uncertain" && state.found === "looking");
}

/** The answer of a change was lost, and the daemon has said since that it carried the change out. */
export function isKnownDone({ state }: Pick<Change<never>, "state">): boolean {
  return state.is === "uncertain" && state.found === "committed";
}

/** The id of what a change created, though its answer was lost; null if it created nothing, or if that is not known. */
export function madeIdOf({ state }: Pick<Change<never>, "state">): string | null {
  return state.is === "uncertain" ? (state.madeId ?? null) : null;
}

async function findMade(client: Client, { idempotencyKey }: UncertainOutcomeError): Promise<string | null> {
  if (idempotencyKey === null) return null;
  // without the id, the person finds it in the list
  const use = await client.idempotency.get(idempotencyKey).catch(() => null);
  return use?.resource_id ?? null;
}

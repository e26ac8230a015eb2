import type { RunnerConnection } from "./runner-connection.ts";

/** The lists that runners were asked for and have not sent yet. */
export function createPendingLists() {
  const pending = new Map<RunnerConnection, PromiseWithResolvers<void>>();
  return {
    has: (connection: RunnerConnection): boolean => pending.has(connection),
    /** Orders a list. Resolves when the runner has answered all lists that it was asked for, or is disconnected. */
    order: (connection: RunnerConnection): Promise<void> => {
      const begun = pending.get(connection);
      connection.send({ do: "list" });
      if (begun !== undefined) return begun.promise;
      const listed = Promise.withResolvers<void>();
      pending.set(connection, listed);
      return listed.promise;
    },
    end: (connection: RunnerConnection): void => {
      pending.get(connection)?.resolve();
      pending.delete(connection);
    },
  };
}

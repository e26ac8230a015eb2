import type { ReactNode } from "react";
import { Problem, SkeletonRows } from "./states.tsx";
import { useConnection } from "../data/connection.ts";
import { isConnectionError, isCutOff } from "../data/errors.ts";
import type { Read } from "../data/read.ts";

/** Stands in place of a list without rows: nothing is known yet, nothing can be known now, or there is nothing. */
export function ListState({
  read: { data, error, again },
  empty,
}: {
  readonly read: Pick<Read<unknown>, "data" | "error" | "again">;
  readonly empty: string;
}): ReactNode {
  const connection = useConnection();
  if (data !== null) return <p className="h-8 text-muted">{empty}</p>;
  if (error === null) return <SkeletonRows rows={1} />;
  // the line above the page says more
  if (isConnectionError(error)) {
    // the connection is known later than the last read ended
    const isCut = connection.is === "offline" ? connection.cause === "cut-off" : isCutOff(error);
    const silent = isCut ? "belfry ui" : "the daemon";
    return <p className="h-8 text-muted">Not known: {silent} does not answer.</p>;
  }
  return <Problem error={error} again={again} />;
}

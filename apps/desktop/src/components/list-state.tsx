import type { ReactNode } from "react";
import { SkeletonRows } from "./states.tsx";
import { isConnectionError } from "../data/errors.ts";
import type { Read } from "../data/read.ts";

/** Stands in place of a list without rows: nothing is known yet, nothing can be known now, or there is nothing. */
export function ListState({
  read: { data, error },
  empty,
}: {
  readonly read: Pick<Read<unknown>, "data" | "error">;
  readonly empty: string;
}): ReactNode {
  if (data !== null) return <p className="h-8 text-muted">{empty}</p>;
  if (error === null) return <SkeletonRows rows={1} />;
  return (
    <p className="h-8 text-muted">
      Not known: {isConnectionError(error) ? "the daemon does not answer" : "the daemon did not say"}.
    </p>
  );
}

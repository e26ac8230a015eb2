import type { ReactNode } from "react";
import { isConnectionError } from "../data/errors.ts";
import type { Read } from "../data/read.ts";
import { Section } from "./page.tsx";
import { Problem, Stale } from "./states.tsx";

export interface PartProblemProps {
  readonly read: Pick<Read<unknown>, "data" | "error" | "readAt" | "again">;
  /** What cannot be shown, as a heading. */
  readonly title?: string;
}

/**
 * Says that a part of a page cannot be read, and shows nothing otherwise. While the daemon does not answer, the line
 * above the page says so.
 */
export function PartProblem({ read, title }: PartProblemProps): ReactNode {
  if (!hasProblem(read)) return null;
  const problem = read.data === null ? <Problem error={read.error} again={read.again} /> : <Stale read={read} />;
  return title === undefined ? problem : <Section title={title}>{problem}</Section>;
}

export function hasProblem({ error }: Pick<Read<unknown>, "error">): boolean {
  return error !== null && !isConnectionError(error);
}

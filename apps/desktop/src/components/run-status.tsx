import type { Run } from "@belfry/client";
import type { ReactNode } from "react";
import { runKind, runStateWord } from "../data/run-words.ts";
import { Status } from "./status.tsx";

/** The state of a run. */
export function RunStatus({ run }: { readonly run: Pick<Run, "state" | "attempt"> }): ReactNode {
  return <Status kind={runKind(run.state)}>{runStateWord(run)}</Status>;
}

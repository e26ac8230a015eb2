import type { Run } from "@belfry/client";
import type { ReactNode } from "react";
import { runKind, runWord } from "../data/run-words.ts";
import { Status } from "./status.tsx";

/** The state of a run. */
export function RunStatus({ run: { state } }: { readonly run: Pick<Run, "state"> }): ReactNode {
  return <Status kind={runKind(state)}>{runWord(state)}</Status>;
}

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunStore } from "../runs/index.ts";
import type { RunStanding } from "./handing/recover.ts";
import { listRunFiles } from "./handing/run-files.ts";
import type { WatcherStore } from "./store.ts";

export interface StandingParts {
  readonly runs: Pick<RunStore, "find">;
  readonly runsFolder: string;
}

/** What became of each run whose files are on disk; a run without a row is left out. */
export function standingsOf({ runs, runsFolder }: StandingParts): ReadonlyMap<string, RunStanding> {
  return new Map(
    listRunFiles(runsFolder).flatMap((runId) => {
      const run = runs.find(runId);
      if (run === undefined || run.sourceWatcherId === null) return [];
      const is = run.endedAt === null ? "live" : run.startedAt === null ? "never_started" : "ended";
      return [[runId, { is, watcherId: run.sourceWatcherId }] as const];
    }),
  );
}

/** What was known for watchers that were deleted or disabled when the daemon stopped too soon to remove it. */
export function removeObsolete(folder: string, store: Pick<WatcherStore, "find">): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [id = ""] = entry.name.split(".", 1);
    if (entry.isFile() && store.find(id)?.enabled !== true) rmSync(join(folder, entry.name), { force: true });
  }
}

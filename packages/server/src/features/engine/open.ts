import { join } from "node:path";
import type { Config } from "../../kernel/config/config.ts";
import { systemClock } from "../../kernel/time/clock.ts";
import type { Lifecycle, Pauses, Replacement, RunStore } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import { createEngine, type EngineParts } from "./engine.ts";
import type { Db } from "../../kernel/storage/database.ts";
import { createListWaitingTasks, createRemovedOutputs } from "./store.ts";
import { engineEvents } from "./events.ts";
import { listAttemptsHere } from "./live-here.ts";
import { serveOutput } from "./output/serve-output.ts";
import { createRunners, type OpenRunners, type RunnersParts } from "./runners/runners.ts";

type OwnParts = Pick<EngineParts, "clock" | "log" | "write" | "bootId" | "availability"> & Pick<RunnersParts, "umask">;

export interface EngineModuleParts extends OwnParts {
  readonly config: Config;
  readonly db: Db;
  readonly openFilesMax?: number | null;
  readonly runs: RunStore;
  readonly tasks: Tasks;
  readonly lifecycle: Lifecycle;
  readonly replacement: Replacement;
  readonly pauses: Pauses;
  /** Real processes, unless a test simulates them. */
  readonly openRunners?: OpenRunners | undefined;
}

export function openEngine({ config, runs: store, db, openFilesMax = null, ...parts }: EngineModuleParts) {
  const { dataDir, logDir, runFiles } = config.paths;
  const { runsAtOnceMax, baseEnvironment, homeDirectory } = config;
  const runnerLog = join(logDir, "runner.log");
  const service = createEngine({
    ...parts,
    store,
    outputs: createRemovedOutputs(db),
    listWaitingTasks: createListWaitingTasks(db),
    processClock: systemClock,
    dataDir,
    runFiles,
    runsAtOnceMax,
    baseEnvironment,
    homeDirectory,
    openRunners:
      parts.openRunners ??
      ((listener) => createRunners({ ...parts, ...listener, clock: systemClock, dataDir, runnerLog, openFilesMax })),
  });
  return {
    service,
    operations: serveOutput({ clock: parts.clock, fileClock: systemClock, dataDir, store, lifecycle: parts.lifecycle }),
    events: engineEvents,
    listAttemptsHere: () => listAttemptsHere(dataDir, store),
  };
}

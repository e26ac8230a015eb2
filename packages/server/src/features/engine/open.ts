import { join } from "node:path";
import type { Config } from "../../kernel/config/config.ts";
import { systemClock } from "../../kernel/time/clock.ts";
import type { Lifecycle, RunStore } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import { createEngine, type EngineParts } from "./engine.ts";
import { engineHints } from "./hints.ts";
import { serveOutput } from "./output.ts";

type OwnParts = Pick<EngineParts, "clock" | "log" | "write" | "bootId" | "umask" | "availability">;

export interface EngineModuleParts extends OwnParts {
  readonly config: Config;
  readonly openFilesMax?: number | null;
  readonly runs: RunStore;
  readonly tasks: Tasks;
  readonly lifecycle: Lifecycle;
}

export function openEngine({ config, runs: store, openFilesMax = null, ...parts }: EngineModuleParts) {
  const { dataDir, logDir } = config.paths;
  const { runsAtOnceMax, baseEnvironment, homeDirectory } = config;
  const engine = createEngine({
    ...parts,
    store,
    openFilesMax,
    processClock: systemClock,
    dataDir,
    runnerLog: join(logDir, "runner.log"),
    runsAtOnceMax,
    baseEnvironment,
    homeDirectory,
  });
  return {
    engine,
    operations: serveOutput({ clock: systemClock, dataDir, store, lifecycle: parts.lifecycle }),
    hints: engineHints,
  };
}

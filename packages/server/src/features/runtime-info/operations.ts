import type { runtimeInfoOperations } from "@belfry/contract";
import type { FireSocketConfig } from "../../kernel/config/fire-socket-config.ts";
import type { DiskWatch } from "../../kernel/files/disk-watch.ts";
import type { Paths } from "../../kernel/files/paths.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import { listUnsafeFiles } from "./unsafe-files.ts";

/** Lists the live runners that do not respond, and when the daemon noticed it. */
export type ListSilentRunners = () => readonly {
  readonly runner: { readonly pid: number };
  readonly since: Instant;
}[];

/** Lists the runners in which background processes hold the output of many ended tasks. */
export type ListHeldOutputs = () => readonly {
  readonly runner: { readonly pid: number };
  readonly held: number;
  readonly max: number;
}[];

/** Lists the runs whose order to start several runners left unanswered, and when it is sent again. */
export type ListPausedStarts = () => readonly {
  readonly runId: string;
  readonly unanswered: number;
  readonly until: Instant;
}[];

export interface RuntimeInfoSources {
  readonly paths: Paths;
  /** The socket for fires; null while it is off. */
  readonly fireSocket: FireSocketConfig | null;
  readonly listBroken: DiskWatch["listBroken"];
  /** The file with the private key of a configured certificate; null if there is none. */
  readonly privateKey: () => string | null;
  readonly listSilentRunners: ListSilentRunners;
  readonly listHeldOutputs: ListHeldOutputs;
  readonly listPausedStarts: ListPausedStarts;
}

export function serveRuntimeInfo(sources: RuntimeInfoSources): OperationsOf<typeof runtimeInfoOperations> {
  const { paths, fireSocket, listBroken, privateKey, listSilentRunners, listHeldOutputs, listPausedStarts } = sources;
  return {
    "runtime_info.get": {
      handle: () => ({
        data_dir: paths.dataDir,
        database_path: paths.database,
        ...(paths.config === null ? {} : { config_path: paths.config }),
        log_path: paths.log,
        lock_path: paths.lock,
        ...(fireSocket === null ? {} : { fire_socket: fireSocket }),
        storage_faults: [...listBroken()],
        unsafe_files: listUnsafeFiles({ configFile: paths.configFile, privateKey: privateKey() }),
        silent_runners: listSilentRunners().map(({ runner, since }) => ({
          pid: runner.pid,
          since: formatInstant(since),
        })),
        held_outputs: listHeldOutputs().map(({ runner, held, max }) => ({ pid: runner.pid, held, max })),
        paused_starts: listPausedStarts().map(({ runId, unanswered, until }) => ({
          run_id: runId,
          unanswered,
          until: formatInstant(until),
        })),
      }),
    },
  };
}

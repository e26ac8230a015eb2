import type { runtimeInfoOperations } from "@belfry/contract";
import type { DiskWatch } from "../../kernel/files/disk-watch.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import type { Paths } from "../../kernel/files/paths.ts";

export function serveRuntimeInfo(
  paths: Paths,
  listBroken: DiskWatch["listBroken"],
): OperationsOf<typeof runtimeInfoOperations> {
  return {
    "runtime_info.get": {
      handle: () => ({
        data_dir: paths.dataDir,
        database_path: paths.database,
        ...(paths.config === null ? {} : { config_path: paths.config }),
        log_path: paths.log,
        lock_path: paths.lock,
        storage_faults: [...listBroken()],
      }),
    },
  };
}

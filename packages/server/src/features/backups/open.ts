import type { backupOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { type BackupDeps, createBackups } from "./create.ts";

export function openBackups(parts: BackupDeps) {
  const backups = createBackups(parts);
  const operations: OperationsOf<typeof backupOperations> = {
    "backups.create": { prepare: ({ body, now, signal }) => backups.prepare(body, { now, signal }) },
  };
  return { operations, loops: [{ start: () => {}, stop: backups.stop }] };
}

import type { backupOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { type BackupDeps, createBackups } from "./create.ts";

export function openBackups(parts: BackupDeps) {
  const backups = createBackups(parts);
  const operations: OperationsOf<typeof backupOperations> = {
    "backups.create": { handle: ({ body, now }) => ({ kind: "bytes", chunks: backups.create(body, now) }) },
  };
  return { operations, loops: [{ start: () => {}, stop: backups.stop }] };
}

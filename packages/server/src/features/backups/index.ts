export { checkBackup } from "./check.ts";
export { openBackups } from "./open.ts";
export { restoreBackup } from "./restore.ts";

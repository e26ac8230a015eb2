import type { RuntimeInfo } from "@belfry/client";
import type { Finding } from "./finding.ts";

/** Files that say what the daemon trusts, and that another user can change. An older daemon does not report them. */
export function checkUnsafeFiles({ unsafe_files: files = [] }: Partial<RuntimeInfo>): readonly Finding[] {
  return files.map(({ path, message }) => ({
    subject: "configuration",
    level: "bad",
    text: `${path}: ${message}. The daemon does not start with this file`,
  }));
}

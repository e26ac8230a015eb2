import type { OwnAccount } from "../../kernel/config/own-account.ts";
import { invalid } from "../../kernel/errors/errors.ts";

/** What decides whether this daemon can start tasks as another user. */
export interface RunAsParts extends OwnAccount {
  /** Returns what the machine lacks to start a program as another user; null if it lacks nothing. */
  readonly findMissingTool: () => { readonly name: string; readonly providedBy: string } | null;
}

export type RunAsRules = ReturnType<typeof createRunAsRules>;

export function createRunAsRules({ name, isRoot, findMissingTool }: RunAsParts) {
  return {
    /** Returns the user to store: null for the daemon's own. Throws if this daemon cannot start tasks as the user. */
    check: (runAs: string | null): string | null => {
      if (runAs === null || runAs === name) return null;
      const asked = JSON.stringify(runAs);
      if (!isRoot)
        throw invalid(
          "run_as",
          `run_as can only name another user if the daemon runs as root. This daemon runs as ${name ?? "another user"}: leave run_as out, or start a daemon as root to run the task as ${asked}`,
        );
      const missing = findMissingTool();
      if (missing !== null)
        throw invalid(
          "run_as",
          `run_as needs the program ${missing.name} to run a task as ${asked}: install the package ${missing.providedBy}`,
        );
      return runAs;
    },
  };
}

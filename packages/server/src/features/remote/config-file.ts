import { existsSync, readFileSync, rmSync } from "node:fs";
import { readRemoteAgain } from "../../kernel/config/config.ts";
import type { RemoteConfig } from "../../kernel/config/remote-config.ts";
import { setKeys, type TomlValue } from "../../kernel/config/toml-section.ts";
import { isDiskFull } from "../../kernel/errors/command-error.ts";
import { AppError, StartError } from "../../kernel/errors/errors.ts";
import { firstLine } from "../../kernel/errors/start-error.ts";
import { replaceFile } from "../../kernel/files/replace-file.ts";

const section = "remote";

export type RemoteConfigFile = ReturnType<typeof createRemoteConfigFile>;

/** The section `[remote]` of the configuration file. Nothing else of the file is changed. */
export function createRemoteConfigFile(path: string) {
  return {
    /** Reads the section as it is now, with defaults. */
    read: (): RemoteConfig => {
      try {
        return readRemoteAgain(path);
      } catch (error) {
        if (error instanceof StartError) throw new AppError("conflict", error.message, { cause: error });
        throw error;
      }
    },

    /** Sets keys, and returns when they are on disk. Null removes a key. Returns the function that undoes this. */
    write: (values: Readonly<Record<string, TomlValue>>): (() => void) => {
      const former = existsSync(path) ? readFileSync(path, "utf8") : null;
      const changed = setKeys(former ?? "", section, values);
      if (changed === null)
        throw new AppError(
          "conflict",
          `the section [${section}] of ${path} cannot be changed automatically: write it with a header [${section}] and one line for each key`,
        );
      if (changed === former) return () => {};
      try {
        replaceFile(path, changed, { keepsOwner: true });
      } catch (error) {
        const todo = isDiskFull(error)
          ? "free some space"
          : isOwnerRefused(error)
            ? "the daemon's user cannot give the new file the owner and group of the former one. Give the file to this user with chown, or write the section yourself"
            : "check the permissions of the file and its directory";
        const message = `the configuration ${path} cannot be written (${firstLine(error)}): ${todo}`;
        throw new AppError("conflict", message, { cause: error });
      }
      return () => (former === null ? rmSync(path, { force: true }) : replaceFile(path, former, { keepsOwner: true }));
    },
  };
}

function isOwnerRefused(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "fchown";
}

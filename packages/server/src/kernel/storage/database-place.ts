import type { OpenDatabase } from "./database.ts";
import type { DiskFault, WatchedPlace } from "../files/disk-watch.ts";
import { StorageGoneError } from "../errors/errors.ts";
import { type FileState, rememberFile } from "../files/open-file.ts";

export interface DatabasePlace extends WatchedPlace {
  /** Throws if a commit would go to a removed file and be lost. */
  readonly requirePresent: () => void;
}

const faults: Record<Exclude<FileState, "same">, string> = {
  removed:
    "the database was removed while the daemon was running: put the file back, or stop the daemon and restore a backup",
  replaced: "the database was replaced while the daemon was running: restart the daemon to use the new file",
};

/** Watches the database and the two files beside it, `-wal` and `-shm`. */
export function watchDatabase({ sqlite, renewLog, emptyLog }: OpenDatabase): DatabasePlace {
  const path = sqlite.name;
  const lookAtFile = rememberFile(path);
  let isLogEmptied = false;
  let companions = rememberCompanions(path);

  return {
    path,
    look: (): DiskFault | null => {
      const state = lookAtFile();
      if (state !== "same") {
        // the file or another one may be put there: neither may meet a log that belongs to the other
        if (!isLogEmptied) isLogEmptied = emptyLog();
        return { is: "broken", message: faults[state] };
      }
      isLogEmptied = false;
      if (companions.every((look) => look() === "same")) return null;
      renewLog();
      companions = rememberCompanions(path);
      return {
        is: "restored",
        message: "the write-ahead log was removed: no data was lost, and the daemon created a new log",
      };
    },
    requirePresent: () => {
      if (lookAtFile() !== "same") throw new StorageGoneError();
    },
  };
}

function rememberCompanions(path: string): readonly (() => FileState)[] {
  return ["-wal", "-shm"].map((suffix) => rememberFile(`${path}${suffix}`));
}

import type { Clock } from "../../kernel/time/clock.ts";
import type { AttemptSpec } from "../protocol/messages.ts";
import { describeStartFault, findStartFault } from "./check-start.ts";
import { copyFilesFor, filesCopyPath, filesVariable } from "./files-copy.ts";
import { createFindUser } from "./find-user.ts";
import { inDirectoryAsUser, type Invocation } from "./switch-user.ts";
import { environmentOf, type User } from "./user.ts";

/** How the system starts an attempt. */
export interface StartPlan extends Invocation {
  readonly directory: string;
  /** The owner of the task's pipes, if it is not the runner's own user. */
  readonly owner: Pick<User, "uid" | "gid"> | null;
  /** Removes what was made for this attempt; null if nothing was. */
  readonly discard: (() => Promise<void>) | null;
}

export type PlanStart = ReturnType<typeof createPlanStart>;

export interface PlanParts {
  readonly clock: Pick<Clock, "monotonicMs">;
  /** The folder for copies of lists of files, which other users may pass through. */
  readonly sharedFolder: string;
}

/** The PATH of programs that are started without one. */
const defaultPath = "/usr/bin:/bin";

/**
 * Plans the start of an attempt. For another user, everything that may fail is checked with that user's rights first, so
 * that a later exit code is the program's own. Rejects with the reason if the attempt cannot start.
 */
export function createPlanStart({ clock, sharedFolder }: PlanParts) {
  const findUser = createFindUser(clock);
  return async (attempt: string, spec: AttemptSpec): Promise<StartPlan> => {
    if (spec.user === undefined)
      return { ...invocationOf(spec), directory: spec.directory, owner: null, discard: null };
    if (process.getuid?.() !== 0)
      throw new Error(`only a daemon that runs as root can start a task as ${JSON.stringify(spec.user.name)}`);
    const user = await findUser(spec.user.name);
    const environment = { ...environmentOf(user), ...spec.environment };
    const directory = await checkStart(user, { ...spec, environment });
    const { filesList } = spec.user;
    const copyPath = filesCopyPath(sharedFolder, attempt);
    const files = filesList === undefined ? {} : { [filesVariable]: copyPath };
    const invocation = { ...invocationOf(spec), environment: { ...environment, ...files } };
    const asOther = inDirectoryAsUser(user, directory, invocation);
    // last, because nobody removes the copy of a start that cannot be planned
    const copy = filesList === undefined ? null : await copyFilesFor(user, filesList, copyPath);
    return { ...asOther, directory: "/", owner: user, discard: copy?.remove ?? null };
  };
}

/** Returns the directory in which the task starts. */
async function checkStart(user: User, spec: AttemptSpec): Promise<string> {
  const { program, environment } = spec;
  const path = environment["PATH"] ?? defaultPath;
  // users of services often have a home directory that does not exist, such as /nonexistent
  const directories = spec.user?.isAtHome === true ? [user.home, "/"] : [spec.directory];
  for (const directory of directories) {
    const candidate = { program, directory, path };
    const fault = await findStartFault(user, candidate);
    if (fault === null) return directory;
    if (fault.subject === "directory" && directory !== directories.at(-1)) continue;
    throw new Error(describeStartFault(fault, candidate));
  }
  return "/";
}

function invocationOf({ program, arguments: args, environment }: AttemptSpec): Invocation {
  return { program, arguments: args, environment };
}

import { errorCode } from "../system-error.ts";
import { type Program, spawnProgram } from "./libc.ts";
import { placesOf } from "./places-of-program.ts";

export interface Command extends Omit<Program, "path" | "argv" | "environment"> {
  /** A path, or a name to look up in the command's own `PATH`. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The next directory may have the program. */
const passable = new Set(["EACCES", "ENOENT", "ENOTDIR", "ESTALE", "ENODEV", "ETIMEDOUT"]);

/**
 * Starts a command as execvp(3) does: it searches `PATH`, and a file without a format that the system knows is a script
 * for `/bin/sh`. Returns its pid, or throws the system's error.
 */
export function spawnCommand(command: Command): number {
  let failure: unknown = null;
  for (const path of placesOf(command.program, command.environment["PATH"])) {
    try {
      return spawnFile(command, path);
    } catch (error) {
      if (!passable.has(errorCode(error))) throw error;
      // a file that may not be executed says more than those that do not exist
      if (failure === null || errorCode(error) === "EACCES") failure = error;
    }
  }
  throw failure;
}

function spawnFile({ program, arguments: args, environment, ...rest }: Command, path: string): number {
  const start = (file: string, argv: readonly string[]): number =>
    spawnProgram({
      ...rest,
      path: file,
      argv,
      environment: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    });
  try {
    return start(path, [program, ...args]);
  } catch (error) {
    if (errorCode(error) !== "ENOEXEC") throw error;
    return start("/bin/sh", ["/bin/sh", path, ...args]);
  }
}

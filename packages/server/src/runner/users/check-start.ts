import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { errorCode } from "../system-error.ts";
import { runTool } from "./run-tool.ts";
import { asUser } from "./switch-user.ts";
import type { User } from "./user.ts";

export interface Candidate {
  readonly program: string;
  readonly directory: string;
  /** The folders in which a program without a slash is searched. */
  readonly path: string;
}

/** The directory may be on a file system that does not answer. */
const checkTimeoutMs = 2_500;
const badDirectory = 3;
const badProgram = 4;

/** Runs as the user: no computation from modes covers access lists and network file systems. */
const script = `
cd -- "$1" || exit ${badDirectory}
case $2 in */*)
  [ -f "$2" ] && [ -x "$2" ] && exit 0
  exit ${badProgram} ;;
esac
set -f
IFS=:
for folder in $PATH; do
  [ -f "\${folder:-.}/$2" ] && [ -x "\${folder:-.}/$2" ] && exit 0
done
exit ${badProgram}`;

export type StartFault = "directory" | "program";

/** Checks as the user whether the program can be executed in the directory. Rejects if the switch to the user fails. */
export async function findStartFault(user: User, { program, directory, path }: Candidate): Promise<StartFault | null> {
  const check = asUser(user, {
    program: "/bin/sh",
    arguments: ["-c", script, "sh", directory, program],
    environment: { PATH: path },
  });
  const { exitCode, stderr } = await runTool(check.program, check.arguments, {
    environment: check.environment,
    timeoutMs: checkTimeoutMs,
  });
  switch (exitCode) {
    case 0:
      return null;
    case badDirectory:
      return "directory";
    case badProgram:
      return "program";
    default:
      throw explainSwitch(user, exitCode, stderr);
  }
}

function explainSwitch({ name }: User, exitCode: number | null, stderr: string): Error {
  const [said = ""] = stderr.trim().split("\n");
  if (said.endsWith("Resource temporarily unavailable")) return Object.assign(new Error(said), { code: "EAGAIN" });
  const why =
    exitCode === null ? "the check of its program did not end in time" : said || `setpriv exited with ${exitCode}`;
  return new Error(`the runner could not switch to the user ${JSON.stringify(name)}: ${why}`);
}

/**
 * Describes the fault in the form of failed starts: the system's error code and its object. What root can find or enter, the
 * user may not.
 */
export async function describeStartFault(fault: StartFault, { program, directory, path }: Candidate): Promise<string> {
  if (fault === "directory") {
    const code = await codeOf(access(`${directory}/.`, constants.X_OK));
    return `${code ?? "EACCES"}: working directory ${directory}`;
  }
  const places = program.includes("/") ? [""] : path.split(":");
  const codes = await Promise.all(places.map((place) => codeOf(stat(resolve(directory, join(place, program))))));
  const isThere = codes.includes(null);
  return `${isThere ? "EACCES" : (codes[0] ?? "ENOENT")}: ${program}`;
}

async function codeOf(work: Promise<unknown>): Promise<string | null> {
  return work.then(
    () => null,
    (error: unknown) => errorCode(error),
  );
}

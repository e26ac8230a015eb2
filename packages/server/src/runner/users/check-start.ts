import { nameInterpreter, type Script } from "../processes/interpreter.ts";
import { runTool } from "./run-tool.ts";
import { asUser } from "./switch-user.ts";
import type { User } from "./user.ts";

export interface Candidate {
  readonly program: string;
  readonly directory: string;
  /** The folders in which a program without a slash is searched. */
  readonly path: string;
}

export interface StartFault {
  readonly subject: keyof typeof bases;
  /** The system's error code. */
  readonly code: string;
  /** The script whose interpreter is at fault. */
  readonly script: Script | null;
}

/** The directory may be on a file system that does not answer. */
const checkTimeoutMs = 2_500;

/** The exit code of the check is one of the bases plus the index of the system's error code. */
const bases = { directory: 10, program: 20, interpreter: 30 } as const;
const codes = ["ENOENT", "EACCES", "ENOTDIR", "ELOOP"] as const;
const linksMax = 40;

const exitWith = (code: (typeof codes)[number]): string => `exit $((base + ${codes.indexOf(code)}))`;

/**
 * Runs as the user: no computation from modes covers access lists and network file systems. Root also must not follow a
 * path of a user, whose file system may never answer. If the interpreter of a script is at fault, prints it and the script.
 */
const script = `
newline='
'
can_execute() { [ -f "$1" ] && [ -x "$1" ]; }
explain() {
  at=.
  case $1 in /*) at=/ ;; esac
  IFS=/
  for part in $1; do
    [ -n "$part" ] || continue
    [ -d "$at" ] || ${exitWith("ENOTDIR")}
    [ -x "$at" ] || ${exitWith("EACCES")}
    from=$at
    at=$at/$part
    [ -e "$at" ] && continue
    [ -L "$at" ] || ${exitWith("ENOENT")}
    links=$((links + 1))
    [ "$links" -le ${linksMax} ] || ${exitWith("ELOOP")}
    target=$(command -p readlink -- "$at")
    case $target in
      "") ${exitWith("ENOENT")} ;;
      /*) explain "$target" ;;
      *) explain "$from/$target" ;;
    esac
    ${exitWith("ENOENT")}
  done
}
check_interpreter() {
  file=$1
  head=$(command -p head -c 256 -- "$file" 2>/dev/null)
  case $head in '#!'*) ;; *) exit 0 ;; esac
  line=\${head%%"$newline"*}
  IFS=' \t'
  set -- \${line#'#!'}
  [ $# -eq 0 ] || [ \${#1} -ge 250 ] || can_execute "$1" && exit 0
  printf '%s\\n%s' "$1" "$file"
  base=${bases.interpreter}
  explain "$1"
  ${exitWith("EACCES")}
}
set -f
links=0
base=${bases.directory}
cd -- "$1" 2>/dev/null || {
  explain "$1"
  [ -d "$1" ] || ${exitWith("ENOTDIR")}
  ${exitWith("EACCES")}
}
base=${bases.program}
case $2 in */*)
  can_execute "$2" && check_interpreter "$2"
  explain "$2"
  ${exitWith("EACCES")} ;;
esac
IFS=:
found=
for folder in $PATH; do
  file=$2
  [ -n "$folder" ] && file=$folder/$2
  can_execute "$file" && check_interpreter "$file"
  [ -e "$file" ] && found=yes
done
[ -n "$found" ] && ${exitWith("EACCES")}
${exitWith("ENOENT")}`;

/** Checks as the user whether the program can be executed in the directory. Rejects if the switch to the user fails. */
export async function findStartFault(user: User, { program, directory, path }: Candidate): Promise<StartFault | null> {
  const check = asUser(user, {
    program: "/bin/sh",
    arguments: ["-c", script, "sh", directory, program],
    environment: { PATH: path },
  });
  const { exitCode, stdout, stderr } = await runTool(check.program, check.arguments, {
    environment: check.environment,
    timeoutMs: checkTimeoutMs,
  });
  if (exitCode === 0) return null;
  const fault = faultOf(exitCode, stdout);
  if (fault === null) throw explainSwitch(user, exitCode, stderr);
  return fault;
}

function faultOf(exitCode: number | null, stdout: string): StartFault | null {
  for (const subject of ["directory", "program", "interpreter"] as const) {
    const code = exitCode === null ? undefined : codes[exitCode - bases[subject]];
    if (code !== undefined) return { subject, code, script: subject === "interpreter" ? scriptOf(stdout) : null };
  }
  return null;
}

/** An interpreter never has a line break in its name, but the script may. */
function scriptOf(printed: string): Script {
  const end = printed.indexOf("\n");
  return { interpreter: printed.slice(0, end), place: printed.slice(end + 1) };
}

function explainSwitch({ name }: User, exitCode: number | null, stderr: string): Error {
  const [said = ""] = stderr.trim().split("\n");
  if (said.endsWith("Resource temporarily unavailable")) return Object.assign(new Error(said), { code: "EAGAIN" });
  const why =
    exitCode === null ? "the check of its program did not end in time" : said || `setpriv exited with ${exitCode}`;
  return new Error(`the runner could not switch to the user ${JSON.stringify(name)}: ${why}`);
}

/** Describes the fault in the form of failed starts: the system's error code and its object. */
export function describeStartFault({ subject, code, script: its }: StartFault, candidate: Candidate): string {
  if (its !== null) return `${code}: ${nameInterpreter(its)}`;
  return `${code}: ${subject === "directory" ? `working directory ${candidate.directory}` : candidate.program}`;
}

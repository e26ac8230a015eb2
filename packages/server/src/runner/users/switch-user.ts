import { realpathSync } from "node:fs";
import { basename } from "node:path";
import type { User } from "./user.ts";

/** A program with its environment, as the system starts it. */
export interface Invocation {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Fixed places: root must not run a program that a PATH of somebody else leads to. */
const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** The programs that a switch needs, and the packages that provide them. */
const tools = { setpriv: "util-linux", env: "coreutils", id: "coreutils" } as const;
type Tool = keyof typeof tools;

export interface MissingTool {
  readonly name: Tool;
  readonly providedBy: string;
}

/** Finds a program that this machine lacks to start tasks as other users; null if it has all. */
export function findMissingTool(): MissingTool | null {
  for (const name of ["setpriv", "env", "id"] as const)
    if (findTool(name) === null) return { name, providedBy: tools[name] };
  return null;
}

/** Finds the path of a tool. Those of busybox lack the options that a switch needs. */
function findTool(name: Tool): string | null {
  for (const folder of folders) {
    try {
      const path = `${folder}/${name}`;
      if (basename(realpathSync(path)) !== "busybox") return path;
    } catch {
      // not in this folder
    }
  }
  return null;
}

export function requireTool(name: Tool): string {
  const path = findTool(name);
  if (path === null) throw new Error(`${name} is not installed: install the package ${tools[name]}`);
  return path;
}

/**
 * Variables that make the C library load or read files. `setpriv` still runs as root when it reads its environment, so it
 * must not see them. None is a secret, so arguments may contain them.
 */
const loaderVariable =
  /^(LD_.*|GLIBC_TUNABLES|MALLOC_.*|GCONV_PATH|GETCONF_DIR|HOSTALIASES|LOCALDOMAIN|LOCPATH|MUSL_LOCPATH|NIS_PATH|NLSPATH|RESOLV_HOST_CONF|RES_OPTIONS|TZDIR)$/;

/**
 * Starts a program as another user. The groups are that user's too, which Node's own option drops. They are numbers:
 * `setpriv` would look them up as root, with libraries that follow the task's environment.
 */
export function asUser(user: User, { program, arguments: args, environment }: Invocation): Invocation {
  const entries = Object.entries(environment);
  const late = entries.filter(([name]) => loaderVariable.test(name)).map(([name, value]) => `${name}=${value}`);
  const command = late.length === 0 ? [program, ...args] : [requireTool("env"), ...late, ...afterEnv(program), ...args];
  return {
    program: requireTool("setpriv"),
    arguments: [`--reuid=${user.uid}`, `--regid=${user.gid}`, `--groups=${user.groups.join(",")}`, "--", ...command],
    environment: Object.fromEntries(entries.filter(([name]) => !loaderVariable.test(name))),
  };
}

/**
 * Starts a program in a directory as another user. The directory is entered after the switch: root might enter what the
 * user may not, and may not enter some of what the user may.
 */
export function inDirectoryAsUser(user: User, directory: string, invocation: Invocation): Invocation {
  const { program, arguments: args, environment } = invocation;
  return asUser(user, {
    program: requireTool("env"),
    arguments: [`--chdir=${directory}`, ...afterEnv(program), ...args],
    environment,
  });
}

/** `env` would read a program with `=` in its name as a variable. */
function afterEnv(program: string): readonly string[] {
  return program.includes("=") ? ["/bin/sh", "-c", 'exec "$@"', "sh", program] : [program];
}

import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../../..", import.meta.url));
const ownCommands = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));

export interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
}

export interface Running extends AsyncDisposable {
  readonly ended: Promise<Outcome>;
}

/** Runs a program in a folder to its end, as a user's shell would. */
export function run(folder: string, command: readonly string[]): Promise<Outcome> {
  return start(folder, command).ended;
}

/** The same for a program that goes on: leaving the scope ends it. */
export function start(folder: string, [program = "", ...args]: readonly string[]): Running {
  const { promise: ended, resolve } = Promise.withResolvers<Outcome>();
  const options = { cwd: folder, env: userEnvironment(), maxBuffer: 64 * 1024 * 1024 };
  const child = execFile(program, args, options, (_error, stdout, stderr) => {
    resolve({ exitCode: child.exitCode, output: `${stdout}${stderr}` });
  });
  child.stdin?.end();
  const end = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  return { ended, [Symbol.asyncDispose]: end };
}

/** Without what pnpm tells its children, by which npm would install into this workspace. */
function userEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^p?npm_(?!config_(registry|cache|cafile)$)/i.test(name),
  );
  const path = [ownCommands, join(repository, "node_modules/.bin"), process.env["PATH"]].join(":");
  return { ...Object.fromEntries(kept), PATH: path, npm_config_yes: "true" };
}

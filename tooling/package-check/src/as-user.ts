import { runCommand, startCommand, type CommandResult, type RunningCommand } from "../../scripts/run-command.ts";

/** Runs a command in a folder to its end, as a user's shell would. */
export function run(folder: string, [command = "", ...args]: readonly string[]): Promise<CommandResult> {
  return runCommand(command, args, { cwd: folder, env: userEnvironment() });
}

/** Starts a command that keeps running, as a user's shell would. */
export function start(folder: string, [command = "", ...args]: readonly string[]): RunningCommand {
  return startCommand(command, args, { cwd: folder, env: userEnvironment() });
}

/**
 * The environment without the variables that pnpm sets for its children: they would make npm install into this
 * workspace.
 */
function userEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^p?npm_(?!config_(registry|cache|cafile)$)/i.test(name),
  );
  return { ...Object.fromEntries(kept), npm_config_yes: "true" };
}

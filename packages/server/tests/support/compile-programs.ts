import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runnerFlags } from "../../src/features/engine/runners/runner-process.ts";
import { programEnvironment } from "../../src/kernel/thread.ts";

const runner = fileURLToPath(new URL("../../src/runner/main.ts", import.meta.url));

/**
 * Lets Node keep what it compiles of the runner before any test begins. Tests start one for each daemon, which takes four
 * times as long without it, and kill it: Node keeps nothing then. So it is started once in vain, and ends by itself.
 */
export async function setup(): Promise<void> {
  await new Promise<void>((resolve) => {
    execFile(process.execPath, [...runnerFlags, runner], { env: programEnvironment }, () => resolve());
  });
}

import { startDaemon, type HarnessOptions } from "../../../packages/server/tests/support/harness.ts";
import { type CallOptions, callBelfry, type Outcome } from "./call.ts";

/** Starts a daemon and returns functions that run the command against it: `await using belfry = await startBelfry()`. */
export async function startBelfry(options: HarnessOptions = {}) {
  const daemon = await startDaemon(options);
  const call = (args: readonly string[], more: CallOptions = {}): Promise<Outcome> =>
    callBelfry(args, { ...more, environment: { BELFRY_DATA_DIR: daemon.dataDir, ...more.environment } });
  return {
    daemon,
    call,
    /** Standard output of a command that must succeed, as a wide terminal without colors shows it. */
    text: async (...args: readonly string[]): Promise<string> => {
      const outcome = await call(args, { columns: 1_000, environment: { NO_COLOR: "1" } });
      if (outcome.code !== 0) throw new Error(`belfry ${args.join(" ")} ended with ${outcome.code}: ${outcome.stderr}`);
      return outcome.stdout;
    },
    /** The parsed `--json` output of a command that must succeed. */
    json: async <T = unknown>(...args: readonly string[]): Promise<T> => {
      const outcome = await call(["--json", ...args]);
      if (outcome.code !== 0) throw new Error(`belfry ${args.join(" ")} ended with ${outcome.code}: ${outcome.stderr}`);
      return JSON.parse(outcome.stdout) as T;
    },
    /** Calls a command with a time that is soon, and with a later one while the command takes longer than that. */
    soon: async (wordsFor: (at: string) => readonly string[]): Promise<void> => {
      for (let seconds = 3; ; seconds *= 2) {
        const { code, stderr } = await call(wordsFor(`in ${seconds}s`));
        if (code === 0) return;
        if (!stderr.includes("is in the past")) throw new Error(`it ended with ${code}: ${stderr}`);
      }
    },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

import { startDaemon, type HarnessOptions } from "../../../packages/server/tests/harness.ts";
import { type CallOptions, callBelfry, type Outcome } from "./call.ts";

/** A real daemon, and the command as it would be typed beside it: `await using belfry = await startBelfry()`. */
export async function startBelfry(options: HarnessOptions = {}) {
  const daemon = await startDaemon(options);
  const call = (words: readonly string[], more: CallOptions = {}): Promise<Outcome> =>
    callBelfry(words, { ...more, environment: { BELFRY_DATA_DIR: daemon.dataDir, ...more.environment } });
  return {
    daemon,
    call,
    /** The answer of a call that must go well. */
    say: async (...words: readonly string[]): Promise<string> => {
      const outcome = await call(words);
      if (outcome.code !== 0)
        throw new Error(`belfry ${words.join(" ")} ended with ${outcome.code}: ${outcome.stderr}`);
      return outcome.stdout;
    },
    /** The same as JSON. */
    json: async <T = unknown>(...words: readonly string[]): Promise<T> => {
      const outcome = await call(["--json", ...words]);
      if (outcome.code !== 0)
        throw new Error(`belfry ${words.join(" ")} ended with ${outcome.code}: ${outcome.stderr}`);
      return JSON.parse(outcome.stdout) as T;
    },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

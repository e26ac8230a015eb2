import { type Clock, sleep } from "../../../kernel/time/clock.ts";
import type { RunnerConnection } from "./runner-connection.ts";
import { type ChildProcess, type RunnerProcessOptions, startRunnerProcess } from "./runner-process.ts";

export interface LaunchOptions extends RunnerProcessOptions {
  readonly clock: Clock;
  readonly open: (helloTimeoutMs: number) => Promise<RunnerConnection>;
  readonly isStopped: () => boolean;
  readonly onStarted: (process: ChildProcess) => void;
  /** How many runners before this one were not ready in time, or ended at once. */
  readonly failures: number;
}

const readyTimeoutMs = 20_000;
const readyTimeoutMaxMs = 120_000;
const dialPauseMs = 25;

/**
 * Starts a runner and connects to it. A runner that is not ready in time is killed: it has got no orders. The next one has
 * twice the time: on a machine that is too busy for a short start, one that is ended each time never begins.
 */
export async function launchRunner(options: LaunchOptions): Promise<RunnerConnection> {
  const { clock } = options;
  const process = startRunnerProcess(options);
  options.onStarted(process);
  const endsAtMs = clock.monotonicMs() + Math.min(readyTimeoutMaxMs, readyTimeoutMs * 2 ** options.failures);
  for (;;) {
    try {
      return await options.open(Math.max(1, endsAtMs - clock.monotonicMs()));
    } catch (error) {
      const hasEnded = process.exitCode !== null || process.signalCode !== null;
      if (!hasEnded && !options.isStopped() && clock.monotonicMs() < endsAtMs) {
        await sleep(clock, dialPauseMs);
        continue;
      }
      if (!hasEnded) process.kill("SIGKILL");
      throw error;
    }
  }
}

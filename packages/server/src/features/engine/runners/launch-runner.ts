import { type Clock, sleep } from "../../../kernel/time/clock.ts";
import type { RunnerConnection } from "./runner-connection.ts";
import { type ChildProcess, type RunnerProcessOptions, startRunnerProcess } from "./runner-process.ts";

export interface LaunchOptions extends RunnerProcessOptions {
  readonly clock: Clock;
  readonly open: (helloTimeoutMs: number) => Promise<RunnerConnection>;
  readonly isStopped: () => boolean;
}

export interface Launched {
  readonly connection: RunnerConnection;
  readonly process: ChildProcess;
}

const readyTimeoutMs = 10_000;
const dialPauseMs = 25;

/** Starts a runner and connects to it. A runner that is not ready in time is killed: it has got no orders. */
export async function launchRunner(options: LaunchOptions): Promise<Launched> {
  const { clock } = options;
  const process = startRunnerProcess(options);
  const endsAtMs = clock.monotonicMs() + readyTimeoutMs;
  for (;;) {
    try {
      return { connection: await options.open(Math.max(1, endsAtMs - clock.monotonicMs())), process };
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

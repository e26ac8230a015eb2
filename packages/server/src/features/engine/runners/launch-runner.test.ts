import { ManualClock, tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchRunner } from "./launch-runner.ts";

/** Starts a runner that is never reached. Returns the times that were left to reach it. */
async function launchInVain(failures: number): Promise<readonly number[]> {
  await using dir = await tempDir();
  const clock = new ManualClock();
  const left: number[] = [];
  const launching = launchRunner({
    id: `vain${failures}`,
    dataDir: dir.path,
    umask: 0o077,
    openFilesMax: null,
    runnerLog: join(dir.path, "runner.log"),
    onError: () => {},
    clock,
    failures,
    isStopped: () => false,
    onStarted: () => undefined,
    open: async (timeoutMs) => {
      left.push(timeoutMs);
      await clock.advance(timeoutMs);
      throw new Error("not ready");
    },
  });
  await expect(launching).rejects.toThrow("not ready");
  return left;
}

test("a runner has twenty seconds to be ready, and the next ones have more and more", async () => {
  expect(await launchInVain(0)).toEqual([20_000]);
  expect(await launchInVain(1)).toEqual([40_000]);
  expect(await launchInVain(2)).toEqual([80_000]);
  expect(await launchInVain(50)).toEqual([120_000]);
});

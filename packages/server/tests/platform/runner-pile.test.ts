import { tempDir, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { runnersOf } from "../support/processes/runners.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { runOnce } from "../support/tasks.ts";

const daemons = useDaemonProcess();

test("a daemon that is killed again and again leaves no more runners behind", async () => {
  await using dir = await tempDir("bf-");
  const counts: number[] = [];
  for (let time = 0; time < 12; time++) {
    const daemon = daemons.spawn({ dataDir: dir.path });
    // at different moments: before its runner is ready, when it is, and after a run
    if (time % 3 > 0) await (await daemon).ready();
    else await until("a runner", () => countRunners(dir.path) > 0);
    if (time % 3 === 2) await runOnce(await daemon, ":");
    counts.push(countRunners(dir.path));
    await (await daemon).kill();
  }
  await using last = await daemons.start({ dataDir: dir.path });
  expect(await runOnce(last, ":")).toMatchObject({ state: "succeeded" });
  await until("only its own runner", () => countRunners(dir.path) === 1, 20_000);
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
}, 60_000);

/** The first daemon has not made the folder yet. */
function countRunners(dataDir: string): number {
  try {
    return runnersOf(dataDir).length;
  } catch {
    return 0;
  }
}

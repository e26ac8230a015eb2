import { tempDir, until } from "@belfry/test-kit";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sleep, systemClock } from "../../src/kernel/time/clock.ts";
import { runnersOf, untilDisconnected } from "../support/processes/runners.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { runOnce } from "../support/tasks.ts";

const daemons = useDaemonProcess();

test("a daemon that is killed again and again leaves no more runners behind", { timeout: 1_800_000 }, async () => {
  await using dir = await tempDir("bf-");
  const counts: number[] = [];
  for (let time = 0; time < 12; time++) {
    const daemon = daemons.spawn({ dataDir: dir.path });
    // at different moments: before its runner is ready, when it is, and after a run
    if (time % 3 > 0) await (await daemon).ready();
    else await until("a runner", () => countRunners(dir.path) > 0);
    if (time % 3 === 2) await runOnce(await daemon, ":");
    await (await daemon).kill();
    await untilDisconnected(dir.path);
    counts.push(countRunners(dir.path));
  }
  await using last = await daemons.start({ dataDir: dir.path });
  expect(await runOnce(last, ":")).toMatchObject({ state: "succeeded" });
  await until("only its own runner", () => countRunners(dir.path) === 1);
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
});

test(
  "a daemon that is killed every second leaves at most two idle runners, and their memory",
  { timeout: 1_800_000 },
  async () => {
    await using dir = await tempDir("bf-");
    const kills = 20;
    const seen: { readonly count: number; readonly megabytes: number }[] = [];
    for (let time = 0; time < kills; time++) {
      const daemon = await daemons.spawn({ dataDir: dir.path });
      const pause = sleep(systemClock, 1_000);
      await daemon.ready();
      await pause;
      await daemon.kill();
      await untilDisconnected(dir.path);
      const runners = runnersOf(dir.path);
      seen.push({
        count: runners.length,
        megabytes: runners.reduce((sum, { pid }) => sum + residentMegabytes(pid), 0),
      });
    }
    const most = (of: "count" | "megabytes"): number => Math.max(...seen.map((each) => each[of]));
    console.log(
      `runner-pile: after each of ${kills} kills at most ${most("count")} runners with ${most("megabytes")} MB`,
    );
    expect(most("count")).toBeLessThanOrEqual(2);
    // without a daemon, the last one leaves too
    await until("no runner", () => countRunners(dir.path) === 0);
  },
);

/** Includes pages that the process shares with others. */
function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes) / 1_000);
  } catch {
    return 0;
  }
}

/** The first daemon has not made the folder yet. */
function countRunners(dataDir: string): number {
  try {
    return runnersOf(dataDir).length;
  } catch {
    return 0;
  }
}

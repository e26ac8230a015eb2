import { seed, tempDir } from "@belfry/test-kit";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { seeded } from "../support/seeded.ts";

const daemons = useDaemonProcess();
const starts = 12;
const startMaxMs = 800;

test("TERM ends a start at any moment without an error, and leaves a directory in which the next daemon starts", async () => {
  await using place = await tempDir("bf-");
  const random = seeded(seed);
  for (let count = 0; count < starts; count++) {
    await using daemon = await daemons.spawn({ dataDir: place.path });
    await setTimeout(random() * startMaxMs);
    // before its program begins, the signal itself ends the process
    expect([0, null]).toContain(await daemon.stop());
    expect(daemon.said.stderr).toBe("");
  }
  await using daemon = await daemons.start({ dataDir: place.path });
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toEqual([]);
});

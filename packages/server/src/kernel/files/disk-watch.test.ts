import { ManualClock, tempDir } from "@belfry/test-kit";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDiskWatch, type DiskFault } from "./disk-watch.ts";
import { createLog } from "../log/log.ts";

/** One watched place whose state the test sets. */
async function openWatch() {
  const dir = await tempDir();
  const dataDir = join(dir.path, "data");
  await mkdir(dataDir);
  const clock = new ManualClock();
  const logged: string[] = [];
  const place = { state: null as DiskFault | null, looks: 0 };
  const look = (): DiskFault | null => {
    place.looks++;
    return place.state;
  };
  const log = createLog(clock, "info", [
    ({ level, event, fields }) => logged.push(`${level} ${event} ${fields["path"]}`),
  ]);
  const watch = createDiskWatch({ clock, log, dataDir });
  watch.start([{ path: "/a", look }]);
  return { dataDir, clock, logged, place, watch, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

test("a fault is detected within a second, logged once as an error, and logged once more when it is over", async () => {
  await using opened = await openWatch();
  const { clock, logged, place, watch } = opened;
  expect(logged).toEqual([]);
  place.state = { is: "broken", message: "it is gone" };
  await clock.advance(1_000);
  expect(watch.listBroken()).toEqual([{ path: "/a", message: "it is gone" }]);
  await clock.advance(10_000);
  place.state = null;
  await clock.advance(1_000);
  expect(watch.listBroken()).toEqual([]);
  expect(logged).toEqual(["error storage.broken /a", "info storage.recovered /a"]);
});

test("a restored file is logged each time, and is not a fault", async () => {
  await using opened = await openWatch();
  const { clock, logged, place, watch } = opened;
  place.state = { is: "restored", message: "made again" };
  await clock.advance(500);
  place.state = null;
  await clock.advance(10_000);
  expect(logged).toEqual(["error storage.restored /a"]);
  expect(watch.listBroken()).toEqual([]);
});

test("a missing data directory is neither inspected nor created", async () => {
  await using opened = await openWatch();
  const { dataDir, clock, logged, place, watch } = opened;
  await rename(dataDir, `${dataDir}.moved`);
  const { looks } = place;
  await clock.advance(5_000);
  expect(place.looks).toBe(looks);
  expect(watch.listBroken()).toMatchObject([{ path: dataDir }]);
  await rename(`${dataDir}.moved`, dataDir);
  await clock.advance(1_000);
  expect(place.looks).toBeGreaterThan(looks);
  expect(logged).toEqual([`error storage.broken ${dataDir}`, `info storage.recovered ${dataDir}`]);
});

test("a failed check is a fault of its path, and a stopped watch checks no more", async () => {
  await using opened = await openWatch();
  const { clock, place, watch } = opened;
  Object.defineProperty(place, "state", {
    get: () => {
      throw new Error("may not be read");
    },
  });
  await clock.advance(1_000);
  expect(watch.listBroken()).toEqual([{ path: "/a", message: "may not be read" }]);
  watch.stop();
  expect(clock.pendingTimers).toBe(0);
});

import { ManualClock, tempDir } from "@belfry/test-kit";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CgroupRemoval } from "./cgroup-removal.ts";

test("cgroups are removed as fast as attempts end, also at a thousand a second", async () => {
  await using dir = await tempDir();
  const clock = new ManualClock();
  const base = join(dir.path, "base");
  mkdirSync(base);
  const removal = new CgroupRemoval({ base, clock, log: () => {} });
  let left = 0;
  for (let tenth = 0; tenth < 30; tenth++) {
    for (let one = 0; one < 100; one++) {
      const cgroup = join(base, `${tenth}-${one}`);
      mkdirSync(cgroup);
      removal.add(cgroup);
    }
    await clock.advance(100);
    left = readdirSync(base).length;
  }
  expect(left).toBeLessThan(500);
  for (let tenth = 0; tenth < 30; tenth++) await clock.advance(100);
  expect(readdirSync(base)).toEqual([]);
  removal.close();
});

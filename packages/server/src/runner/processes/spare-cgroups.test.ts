import { ManualClock, tempDir } from "@belfry/test-kit";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SpareCgroups } from "./spare-cgroups.ts";

/** Spares in a plain folder. */
async function openSpares() {
  const dir = await tempDir();
  const base = join(dir.path);
  const clock = new ManualClock();
  const spares = new SpareCgroups(base, clock);
  return {
    spares,
    clock,
    base,
    count: () => readdirSync(base).length,
    take: (count: number) => Array.from({ length: count }, () => spares.take()),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test("as many spares are created as were taken lately, up to a limit, and none is given twice", async () => {
  await using place = await openSpares();
  const first = place.take(30);
  expect(place.count()).toBe(30);
  await place.clock.advance(1_000);
  expect(place.count()).toBe(60);
  const second = place.take(30);
  expect(place.count()).toBe(60);
  expect(new Set([...first, ...second]).size).toBe(60);
  place.take(500);
  await place.clock.advance(1_000);
  expect(place.count()).toBe(660);
});

test("spares that were forgotten are not given, because somebody may have removed them", async () => {
  await using place = await openSpares();
  place.take(5);
  await place.clock.advance(1_000);
  const before = new Set(readdirSync(place.base));
  place.spares.forget();
  for (const taken of place.take(5)) expect(before.has(taken.slice(place.base.length + 1))).toBe(false);
});

test("whoever takes one gets the error of a folder that is gone, and a later one works", async () => {
  await using place = await openSpares();
  rmSync(place.base, { recursive: true });
  expect(() => place.spares.take()).toThrow("ENOENT");
  await place.clock.advance(1_000);
  expect(() => place.spares.take()).toThrow("ENOENT");
});

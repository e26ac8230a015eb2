import { tempDir } from "@belfry/test-kit";
import { rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recordBytes } from "../../../runner/output/order-record.ts";
import { claimFolder } from "../../../runner/places.ts";
import { PlantedOutput } from "../../../../tests/support/planted-output.ts";
import { countKept } from "./kept-counts.ts";

test("the bytes in `output`, those in the files of the streams and those that were cut are counted, with the order", async () => {
  await using dir = await tempDir();
  const folder = claimFolder(dir.path, "a");
  expect(await countKept(dir.path, "a")).toMatchObject({ stdout: { written: 0, cut: 0 }, orderBytes: 0 });
  const planted = new PlantedOutput(folder, { openingMax: 100, pieceMax: 10 });
  for (const [at, text] of ["one", "two", "a longer text that needs files of its own", "end"].entries())
    planted.add({ stream: at % 2 === 0 ? "stdout" : "stderr", time: at, bytes: Buffer.from(text) });
  const stdout = { written: 44, cut: 0 };
  const stderr = { written: 6, cut: 0 };
  expect(await countKept(dir.path, "a")).toEqual({ stdout, stderr, orderBytes: 4 * recordBytes });
  await rm(join(folder, "stdout.13"));
  expect(await countKept(dir.path, "a")).toEqual({
    stdout: { ...stdout, cut: 10 },
    stderr,
    orderBytes: 4 * recordBytes,
  });
});

test("of a runner that died while it wrote, the bytes that are there count", async () => {
  await using dir = await tempDir();
  const folder = claimFolder(dir.path, "a");
  const planted = new PlantedOutput(folder, { openingMax: 1_000, pieceMax: 10 });
  planted.add({ stream: "stderr", time: 1, bytes: Buffer.from("oops") });
  planted.add({ stream: "stdout", time: 2, bytes: Buffer.from("interrupted") });
  await truncate(join(folder, "output"), 2 * recordBytes + 4 + 5);
  const expected = { stdout: { written: 5, cut: 0 }, stderr: { written: 4, cut: 0 }, orderBytes: 2 * recordBytes };
  expect(await countKept(dir.path, "a")).toEqual(expected);
  await truncate(join(folder, "output"), 2 * recordBytes + 4);
  expect(await countKept(dir.path, "a")).toMatchObject({
    stdout: { written: 0, cut: 0 },
    stderr: { written: 4, cut: 0 },
  });
  await truncate(join(folder, "output"), 0);
  await writeFile(join(folder, "stdout"), "12345");
  expect(await countKept(dir.path, "a")).toMatchObject({ stdout: { written: 5, cut: 0 }, orderBytes: 0 });
});

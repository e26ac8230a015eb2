import { tempDir } from "@belfry/test-kit";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KeptOutput } from "./kept-output.ts";
import { pieceEnd, pieceName, pieceOffset } from "./kept-pieces.ts";

const bytesMax = 8_000;
const numbered = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => at % 251));

async function filesOf(folder: string): Promise<Readonly<Record<string, number>>> {
  const names = (await readdir(folder)).sort(
    (a, b) => (pieceOffset("stdout", a) ?? -1) - (pieceOffset("stdout", b) ?? -1),
  );
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).size] as const)),
  );
}

const failTest = (error: unknown): never => expect.unreachable(String(error));

async function keep(folder: string, bytes: Buffer, chunkBytes: number, onFailure: (error: unknown) => void = failTest) {
  const kept = new KeptOutput({ folder, stream: "stdout", bytesMax, onFailure });
  for (let at = 0; at < bytes.length; at += chunkBytes) await kept.add(bytes.subarray(at, at + chunkBytes));
  return kept.close();
}

test("a stream's files are named by their first offset, and no other file counts as one", () => {
  expect(pieceName("stderr", 0)).toBe("stderr");
  expect(pieceName("stderr", 4_000)).toBe("stderr.4000");
  const names = [
    "stderr",
    "stderr.4000",
    "stderr.",
    "stderr.04",
    "stderr.4x",
    "stderr.-4",
    "stdout.4000",
    "end",
    "claim",
  ];
  expect(names.map((name) => pieceOffset("stderr", name))).toEqual([
    0,
    4_000,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  expect([pieceEnd(0, 8_000), pieceEnd(4_000, 8_000)]).toEqual([4_000, 4_250]);
});

test.each([1, 7, 999, 1_000, 65_536])(
  "in chunks of %i bytes, the first half and the newest sixteen pieces of the other half are kept",
  async (chunkBytes) => {
    await using dir = await tempDir();
    const bytes = numbered(20_600);
    expect(await keep(dir.path, bytes, chunkBytes)).toEqual({ written: 20_600, cut: 12_750 });
    const full = Array.from({ length: 15 }, (_, index) => [`stdout.${16_750 + index * 250}`, 250] as const);
    expect(await filesOf(dir.path)).toEqual({ stdout: 4_000, ...Object.fromEntries(full), "stdout.20500": 100 });
    for (const name of await readdir(dir.path)) {
      const from = pieceOffset("stdout", name)!;
      const file = await readFile(join(dir.path, name));
      expect(file.equals(bytes.subarray(from, from + file.length))).toBe(true);
    }
  },
);

test("a stream within the bound is kept whole, and an empty stream has no file", async () => {
  await using dir = await tempDir();
  expect(await keep(dir.path, Buffer.alloc(0), 1)).toEqual({ written: 0, cut: 0 });
  expect(await filesOf(dir.path)).toEqual({});
  expect(await keep(dir.path, numbered(8_000), 3_000)).toEqual({ written: 8_000, cut: 0 });
});

test("a failed write is reported once, the kept bytes stay, and the rest counts as cut", async () => {
  await using dir = await tempDir();
  await mkdir(join(dir.path, "stdout.5000"));
  const failures: unknown[] = [];
  const end = await keep(dir.path, numbered(20_000), 300, (error) => failures.push(error));
  expect(end).toEqual({ written: 20_000, cut: 15_000 });
  expect(failures).toMatchObject([{ code: "EEXIST" }]);
});

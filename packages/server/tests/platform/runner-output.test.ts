import { until } from "@belfry/test-kit";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countKept } from "../../src/features/engine/output/kept-counts.ts";
import { readStream } from "../../src/features/engine/output/read-stream.ts";
import { readEnd } from "../../src/runner/claims/claim.ts";
import type { StreamName } from "../../src/runner/protocol/messages.ts";
import { claimFolder, outputFolders } from "../../src/runner/places.ts";
import { makePlace, type Place, shell, startRunner } from "../support/processes/runner-process.ts";

async function readAll(place: Place, attempt: string, stream: StreamName, offset = 0) {
  const cuts: { from: number; bytes: number }[] = [];
  const chunks: Uint8Array[] = [];
  for await (const piece of readStream(outputFolders(place.dataDir, attempt), stream, offset)) {
    if ("cut" in piece) cuts.push(piece.cut);
    else chunks.push(piece.bytes);
  }
  return { cuts, bytes: Buffer.concat(chunks) };
}

test("both streams are real pipes: a script may open its own stdout and stderr again", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start(
    "a",
    shell(place, "a", "echo 1; echo 2 > /dev/stdout; echo 3 >> /dev/stdout; echo 4 > /dev/stderr; echo 5 >&2"),
  );
  expect(await daemon.end("a")).toMatchObject({
    exitCode: 0,
    stdout: { written: 6, cut: 0 },
    stderr: { written: 4, cut: 0 },
  });
  expect((await readAll(place, "a", "stdout")).bytes.toString()).toBe("1\n2\n3\n");
  expect((await readAll(place, "a", "stderr")).bytes.toString()).toBe("4\n5\n");
});

test("of 20 MB the first and newest halves of the bound are kept, and the rest is reported as cut", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const lines = Buffer.from(
    Array.from({ length: 1_250_000 }, (_, number) => `${number}`.padStart(15, "0")).join("\n") + "\n",
  );
  daemon.start("a", shell(place, "a", "seq -f %015.0f 0 1249999", { outputBytesMax: 1024 * 1024 }));
  const { stdout, orderBytes = 0 } = await daemon.end("a");
  const { cuts, bytes } = await readAll(place, "a", "stdout");
  const half = 512 * 1024;
  expect(stdout.written).toBe(lines.length);
  expect(cuts).toEqual([{ from: half, bytes: stdout.cut }]);
  expect(bytes.length + stdout.cut).toBe(lines.length);
  expect(bytes.length).toBeLessThanOrEqual(2 * half);
  expect(bytes.length).toBeGreaterThan(2 * half - half / 16);
  expect(bytes.equals(Buffer.concat([lines.subarray(0, half), lines.subarray(half + stdout.cut)]))).toBe(true);
  expect((await readAll(place, "a", "stdout", lines.length - 16)).bytes.toString()).toBe("000000001249999\n");
  expect(await countKept(place.dataDir, "a")).toEqual({ stdout, stderr: { written: 0, cut: 0 }, orderBytes });
  await daemon.forget("a");
  expect(await readdir(join(place.dataDir, "attempts/live"))).toEqual([]);
  expect((await readAll(place, "a", "stdout")).bytes.equals(bytes)).toBe(true);
});

test("output is kept while no daemon is connected, and can be read while it is written", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const first = await runner.connect();
  first.start("a", shell(place, "a", 'echo before; until [ -e "$NOTES/go" ]; do sleep 0.02; done; echo after'));
  await first.waitFor("started", "a");
  await until("the first line", async () => (await readAll(place, "a", "stdout")).bytes.toString() === "before\n");
  first.close();
  await writeFile(join(place.notes, "go"), "");
  await until("the end is written", () => readEnd(claimFolder(place.dataDir, "a")));
  const second = await runner.connect();
  await second.untilEndsListed();
  expect(await second.list()).toMatchObject([{ is: "ended", attempt: "a", end: { stdout: { written: 13, cut: 0 } } }]);
  expect((await readAll(place, "a", "stdout")).bytes.toString()).toBe("before\nafter\n");
});

test("a process left behind delays the end by a second at most, continues, and survives its later writes", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const left = `trap 'echo pipe >> "$NOTES/died"' PIPE
    echo with; until [ -e "$NOTES/go" ]; do sleep 0.02; done
    echo late && head -c 300000 /dev/zero && echo wrote > "$NOTES/wrote"`;
  daemon.start(
    "a",
    shell(
      place,
      "a",
      `sh -c '${left.replaceAll("'", `'"'"'`)}' & until [ -e "$NOTES/seen" ]; do sleep 0.02; done; echo main`,
    ),
  );
  await until("its output", async () => (await readAll(place, "a", "stdout")).bytes.toString() === "with\n");
  await writeFile(join(place.notes, "seen"), "");
  const end = await daemon.end("a");
  expect(end).toMatchObject({ cause: "exit", exitCode: 0, stdout: { written: 10, cut: 0 } });
  await daemon.forget("a");
  await writeFile(join(place.notes, "go"), "");
  await until("it wrote on", () => readFile(join(place.notes, "wrote")).catch(() => null));
  expect((await readAll(place, "a", "stdout")).bytes.toString()).toBe("with\nmain\n");
  expect(await readdir(place.notes)).not.toContain("died");
});

test("output just before the end is kept, however much it is", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  // the pipe is full when the main process ends, and a process that it left still holds it
  daemon.start("a", shell(place, "a", "sleep 30 & head -c 65536 /dev/zero; head -c 65536 /dev/zero >&2"));
  expect(await daemon.end("a")).toMatchObject({
    stdout: { written: 65_536, cut: 0 },
    stderr: { written: 65_536, cut: 0 },
  });
});

test("a stream that cannot be kept counts as cut, is still read, and does not affect the other", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const script = 'mkdir "$CLAIM/stdout"; head -c 300000 /dev/zero; echo other >&2';
  // with this bound, the first read is too large for the file that both streams share
  daemon.start("a", shell(place, "a", script, { outputBytesMax: 1024 }));
  expect(await daemon.end("a")).toMatchObject({
    exitCode: 0,
    stdout: { written: 300_000, cut: 300_000 },
    stderr: { written: 6, cut: 0 },
  });
  await rm(join(claimFolder(place.dataDir, "a"), "stdout"), { recursive: true });
});

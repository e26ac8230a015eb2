import { tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backUp, restore } from "../support/backups.ts";
import { type Harness, type Json, startDaemon } from "../support/harness.ts";
import { openStream } from "../support/stream.ts";
import { getRun, makeTask, outputOf, startRun, untilEnd } from "../support/tasks.ts";

interface Piece {
  readonly stream: string;
  readonly offset: number;
  readonly text: string;
  readonly time: string | undefined;
}

/** A script that writes numbered lines, each when the file with its number appears: the even ones to stdout. */
function writesWhenAllowed(folder: string, lines: number): string {
  return `i=0; while [ $i -lt ${lines} ]; do
    until [ -e "${folder}/$BELFRY_ATTEMPT.$i" ]; do sleep 0.01; done
    if [ $((i % 2)) = 0 ]; then echo "line $i"; else echo "line $i" >&2; fi; i=$((i+1)); done`;
}

function piecesOf(frames: readonly Json[]): readonly Piece[] {
  return frames
    .filter(({ event }) => event === "output")
    .map(({ data: { stream, offset, base64, time } }) => {
      return { stream, offset, text: Buffer.from(base64, "base64").toString(), time };
    });
}

async function readPieces(daemon: Harness, run: { readonly id: string }, query = ""): Promise<readonly Piece[]> {
  await using stream = await openStream(daemon.socketPath, `/v1/runs/${run.id}/output${query}`);
  await stream.untilEnd();
  return piecesOf(stream.frames);
}

/** Allows lines one after the other, each once the one before was received. */
async function followLines(
  daemon: Harness,
  { folder, path, attempt = 1 }: { readonly folder: string; readonly path: string; readonly attempt?: number },
  [first, end]: readonly [number, number],
): Promise<readonly Piece[]> {
  await using stream = await openStream(daemon.socketPath, path);
  for (let line = first; line < end; line++) {
    await writeFile(join(folder, `${attempt}.${line}`), "");
    await stream.until(`line ${line}`, () => piecesOf(stream.frames).length > line - first);
  }
  return piecesOf(stream.frames);
}

function linesFrom(first: number, end: number): readonly string[] {
  return Array.from({ length: end - first }, (_, at) => `line ${first + at}\n`);
}

function expectTimed(pieces: readonly Piece[], [first, end]: readonly [number, number]): void {
  expect(pieces.map(({ text }) => text)).toEqual(linesFrom(first, end));
  expect(pieces.map(({ stream }) => stream)).toEqual(
    Array.from({ length: end - first }, (_, at) => ((first + at) % 2 === 0 ? "stdout" : "stderr")),
  );
  const times = pieces.map(({ time }) => Date.parse(time!));
  expect(times.every((time, at) => time > 0 && (at === 0 || time >= times[at - 1]!))).toBe(true);
}

// the first limit keeps the lines in one file, and with the second one they soon need files of their streams
test.each([10_485_760, 1_024])(
  "both streams come in the order in which they were read, live, over a restart, later and restored (max_bytes %s)",
  async (maxBytes) => {
    await using place = await tempDir("bf-");
    const folder = place.path;
    const dataDir = join(folder, "data");
    let run: Json;
    let early: readonly Piece[] = [];
    {
      await using daemon = await startDaemon({ dataDir });
      run = await startRun(
        daemon,
        await makeTask(daemon, writesWhenAllowed(folder, 60), { output: { max_bytes: maxBytes } }),
      );
      early = await followLines(daemon, { folder, path: `/v1/runs/${run.id}/output?follow=true` }, [0, 30]);
      await daemon.stop();
      await using second = await startDaemon({ dataDir });
      const [stdout, stderr] = ["stdout", "stderr"].map((each) =>
        early.filter(({ stream }) => stream === each).reduce((sum, { text }) => sum + text.length, 0),
      );
      const path = `/v1/runs/${run.id}/output?follow=true&stdout_offset=${stdout}&stderr_offset=${stderr}`;
      const late = await followLines(second, { folder, path }, [30, 60]);
      await untilEnd(second, run);
      const all = [...early, ...late];
      expectTimed(all, [0, 60]);
      expect(await readPieces(second, run)).toEqual(all);
      expect(await readPieces(second, run, "?tail=7")).toEqual(all.slice(53));
      expect(await readPieces(second, run, `?since=${all[41]!.time}`)).toEqual(
        all.filter(({ time }) => time! >= all[41]!.time!),
      );
      const odd = linesFrom(0, 60).filter((_, at) => at % 2 === 1);
      expect(await outputOf(second, run, "?stream=stderr")).toBe(odd.join(""));
      expect(await outputOf(second, run, "?stream=stderr&tail=2")).toBe(odd.slice(-2).join(""));
      await backUp(second, join(folder, "backup.tar"), { output: true });
      await restore(join(folder, "backup.tar"), join(folder, "restored"));
      await using restored = await startDaemon({ dataDir: join(folder, "restored") });
      expect(await readPieces(restored, run)).toEqual(all);
    }
  },
);

test("each attempt of a retried run has its own order", async () => {
  await using place = await tempDir("bf-");
  const folder = place.path;
  await using daemon = await startDaemon();
  const task = await makeTask(daemon, `${writesWhenAllowed(folder, 6)}; exit 1`, {
    retry: { max_attempts: 2, delay: "0s" },
  });
  const run = await startRun(daemon, task);
  for (const attempt of [1, 2]) {
    const path = `/v1/runs/${run.id}/output?follow=true${attempt === 1 ? "" : "&attempt=2"}`;
    await until(`attempt ${attempt}`, async () => (await getRun(daemon, run)).attempt === attempt);
    expectTimed(await followLines(daemon, { folder, path, attempt }, [0, 6]), [0, 6]);
  }
  await untilEnd(daemon, run);
  for (const attempt of [1, 2]) expectTimed(await readPieces(daemon, run, `?attempt=${attempt}`), [0, 6]);
});

import { tempDir, until } from "@belfry/test-kit";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  decodeRecord,
  indexName,
  openingName,
  parseOpening,
  recordBytes,
} from "../../src/runner/output/order-record.ts";
import { liveFolder } from "../../src/runner/places.ts";
import type { Json } from "../support/harness.ts";
import { type DaemonProcess, useDaemonProcess } from "../support/processes/daemon-process.ts";
import { openStream } from "../support/stream.ts";
import { getRun, makeTask, startRun, untilEnd } from "../support/tasks.ts";

const writesEach = 500;
const apartMs = 50;
const limits = [
  { maxBytes: 10_485_760, padding: 30, runs: 10 },
  // less than a stream's 250 lines
  { maxBytes: 16_384, padding: 110, runs: 10 },
] as const;

const daemons = useDaemonProcess();

interface Piece {
  readonly stream: "stdout" | "stderr";
  readonly offset: number;
  readonly text: string;
  readonly time: number;
}

interface Writer extends AsyncDisposable {
  readonly run: Json;
  readonly maxBytes: number;
  readonly padding: number;
  /** The task writes a line for each number in it. */
  readonly numbers: FileHandle;
  readonly attempt: string;
  /** Between which times the runner has read each line. */
  readonly windows: { readonly from: number; readonly until: number }[];
}

const streamOf = (line: number) => (line % 2 === 0 ? "stdout" : "stderr");
const lineOf = (line: number, padding: number): string => `${line} ${"0".repeat(padding)}\n`;

/** What a stream has after so many lines of both. */
function contentOf(stream: string, lines: number, padding: number): string {
  return Array.from({ length: lines }, (_, line) => (streamOf(line) === stream ? lineOf(line, padding) : "")).join("");
}

async function startWriter(daemon: DaemonProcess, folder: string, number: number, limit: Limit) {
  const { maxBytes, padding } = limit;
  const fifo = join(folder, `numbers${number}`);
  if (spawnSync("mkfifo", [fifo]).status !== 0) throw new Error("mkfifo failed");
  const zeros = "0".repeat(padding);
  const script = `while read -r i; do
    if [ $((i % 2)) = 0 ]; then echo "$i ${zeros}"; else echo "$i ${zeros}" >&2; fi
  done < "${fifo}"`;
  const before = new Set(attemptsIn(daemon.dataDir));
  const run = await startRun(daemon, await makeTask(daemon, script, { output: { max_bytes: maxBytes } }));
  const attempt = await until("the attempt's folder", () =>
    attemptsIn(daemon.dataDir).find((name) => !before.has(name)),
  );
  const numbers = await open(fifo, "r+");
  return { run, maxBytes, padding, numbers, attempt, windows: [], [Symbol.asyncDispose]: () => numbers.close() };
}

type Limit = (typeof limits)[number];

function attemptsIn(dataDir: string): readonly string[] {
  return readdirSync(liveFolder(dataDir)).filter((name) => !name.startsWith("."));
}

/** How many bytes of both streams have their order on disk. */
function orderedBytes(dataDir: string, attempt: string): number {
  const folder = join(liveFolder(dataDir), attempt);
  const read = (name: string): Buffer => {
    try {
      return readFileSync(join(folder, name));
    } catch {
      return Buffer.alloc(0);
    }
  };
  const index = read(indexName);
  const records = Math.floor(index.length / recordBytes);
  const newest = records === 0 ? null : decodeRecord(index, (records - 1) * recordBytes);
  const { stdout, stderr } = (newest ?? parseOpening(read(openingName))).ends;
  return stdout + stderr;
}

/** Lets the task write its lines one by one, each only after the one before was read. It needs no daemon. */
async function pace(dataDir: string, writer: Writer, onWritten: () => void): Promise<void> {
  let bytes = 0;
  for (let line = 0; line < writesEach; line++) {
    const from = Date.now();
    bytes += lineOf(line, writer.padding).length;
    await writer.numbers.write(`${line}\n`);
    const pause = setTimeout(apartMs);
    await until(`line ${line} of ${writer.attempt}`, () => orderedBytes(dataDir, writer.attempt) === bytes);
    writer.windows.push({ from, until: Date.now() });
    onWritten();
    await pause;
  }
  await writer.numbers.close();
}

async function readPieces(daemon: { readonly socketPath: string }, path: string): Promise<readonly Piece[]> {
  await using stream = await openStream(daemon.socketPath, path);
  await stream.until({ what: "the end of the output", withinMs: 1_500_000 }, stream.isEnded);
  return piecesOf(stream.frames);
}

function piecesOf(frames: readonly { readonly event: string; readonly data: Json }[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const { event, data } of frames) {
    if (event !== "output") continue;
    const { stream, offset } = data;
    const text = Buffer.from(data.base64, "base64").toString();
    const time = Date.parse(data.time);
    const before = pieces.at(-1);
    // a write that is kept in two files comes in two pieces
    const isSame =
      before?.stream === stream && before?.time === time && offset === before?.offset + before?.text.length;
    if (before !== undefined && isSame) pieces[pieces.length - 1] = { ...before, text: before.text + text };
    else pieces.push({ stream, offset, text, time });
  }
  return pieces;
}

function endsOf(pieces: readonly Piece[]) {
  const ends = { stdout: 0, stderr: 0 };
  for (const { stream, offset, text } of pieces) ends[stream] = offset + text.length;
  return ends;
}

/** The number of the line that is the piece; null for a part of a line. */
function numberOf({ stream, offset, text }: Piece, padding: number): number | null {
  const line = Number(/^(\d+) 0+\n$/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(line)) return null;
  // the last digits of a number that was cut are a number too
  return contentOf(stream, line, padding).length === offset ? line : null;
}

function expectTimes(pieces: readonly Piece[], { windows, padding }: Writer): void {
  for (const [at, piece] of pieces.entries()) {
    const { time } = piece;
    expect(time).toBeGreaterThanOrEqual(pieces[at - 1]?.time ?? 0);
    const line = numberOf(piece, padding);
    if (line === null) continue;
    const { from, until: end } = windows[line]!;
    expect(time).toBeGreaterThanOrEqual(from);
    expect(time).toBeLessThanOrEqual(end);
  }
}

test("10,000 writes to two streams, 50 ms apart, keep their order and times over a killed daemon and beyond the limit", async () => {
  await using place = await tempDir("bo-");
  await using stack = new AsyncDisposableStack();
  const dataDir = join(place.path, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, "config.toml"), "[engine]\nmax_concurrent_runs = 32\n");
  const first = stack.use(await daemons.start({ dataDir }));
  const writers: Writer[] = [];
  for (const limit of limits)
    for (let at = 0; at < limit.runs; at++) writers.push(await startWriter(first, place.path, writers.length, limit));
  expect(writers.length * writesEach).toBe(10_000);
  const pathOf = ({ run }: Writer): string => `/v1/runs/${run.id}/output`;
  const followed = await openStream(first.socketPath, `${pathOf(writers[0]!)}?follow=true`);

  let written = 0;
  const half = Promise.withResolvers<void>();
  const paced = writers.map((writer) => pace(dataDir, writer, () => ++written === 5_000 && half.resolve()));
  await Promise.race([half.promise, Promise.all(paced)]);
  await first.kill();
  await followed.untilEnd();
  const early = piecesOf(followed.frames);
  await setTimeout(500);
  const second = stack.use(await daemons.start({ dataDir }));
  const { stdout, stderr } = endsOf(early);
  const rest = `${pathOf(writers[0]!)}?follow=true&stdout_offset=${stdout}&stderr_offset=${stderr}`;
  const [late] = await Promise.all([readPieces(second, rest), ...paced]);

  for (const [number, writer] of writers.entries()) {
    const { run, maxBytes, padding } = writer;
    expect(await untilEnd(second, run)).toMatchObject({ outcome: "success" });
    const pieces = await readPieces(second, pathOf(writer));
    expectTimes(pieces, writer);
    const lines = Array.from({ length: writesEach }, (_, line) => lineOf(line, padding));
    if (number === 0) expect([...early, ...late]).toEqual(pieces);
    if (contentOf("stdout", writesEach, padding).length <= maxBytes) {
      expect(pieces.map(({ text }) => text)).toEqual(lines);
      expect(pieces.map(({ stream }) => stream)).toEqual(lines.map((_, line) => streamOf(line)));
      continue;
    }
    const { output } = await getRun(second, run);
    for (const stream of ["stdout", "stderr"] as const) {
      const content = contentOf(stream, writesEach, padding);
      const cut = output[`${stream}_cut`];
      expect(cut).toBeGreaterThan(content.length - maxBytes - 1);
      // what is missing is one part of the middle
      const kept = pieces.filter((piece) => piece.stream === stream);
      for (const { offset, text } of kept) expect(content.slice(offset, offset + text.length)).toBe(text);
      expect(kept.reduce((sum, { text }) => sum + text.length, 0)).toBe(content.length - cut);
      const gaps = kept.filter(({ offset }, at) => at > 0 && offset !== endsOf(kept.slice(0, at))[stream]);
      expect(gaps).toHaveLength(1);
    }
    const numbers = pieces.map((piece) => numberOf(piece, padding)).filter((line) => line !== null);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.length).toBeGreaterThan(200);
    expect(numbers.slice(-100)).toEqual(Array.from({ length: 100 }, (_, at) => writesEach - 100 + at));
  }
  const late50 = writers
    .flatMap(({ windows }) => windows.map(({ from, until: end }) => end - from))
    .toSorted((a, b) => a - b);
  console.log(
    `ordered-writes: 10000 in order; half were read within ${late50[5_000]} ms of their release, all within ${late50.at(-1)} ms`,
  );
}, 1_800_000);

import { tempDir, until } from "@belfry/test-kit";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createLog, formatHumanLine, formatJsonLine, type LogEntry, logLevels } from "./log.ts";
import { createLogFile } from "./log-file.ts";
import { parseInstant } from "../time/time.ts";

const at = parseInstant("2026-11-21T01:18:00.123Z");
const entry = (more: Partial<LogEntry> = {}): LogEntry => ({
  at,
  level: "info",
  event: "run.ended",
  fields: {},
  ...more,
});

describe("a log", () => {
  test.each(logLevels.map((level, index) => ({ level, index })))(
    "of $level keeps lines of that severity or higher, and drops the rest",
    ({ level, index }) => {
      const kept: string[] = [];
      const log = createLog({ now: () => at }, level, [(seen) => void kept.push(seen.level)]);
      for (const own of logLevels) log[own]("some.event");
      expect(kept).toEqual(logLevels.slice(index));
    },
  );

  test("hands each line to every sink, with its time and fields", () => {
    const [one, two]: LogEntry[][] = [[], []];
    const log = createLog({ now: () => at }, "info", [(seen) => void one!.push(seen), (seen) => void two!.push(seen)]);
    log.warn("disk.low", { bytes: 7 });
    expect(one).toEqual([{ at, level: "warn", event: "disk.low", fields: { bytes: 7 } }]);
    expect(two).toEqual(one);
  });
});

test("a line for programs is one JSON object, whatever its values hold", () => {
  const line = formatJsonLine(
    entry({ fields: { task: 'a "b"\nc\u2028', code: 0, ok: false, none: null, gone: undefined } }),
  );
  expect(line.endsWith("}\n")).toBe(true);
  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(line)).toEqual({
    at: "2026-11-21T01:18:00.123Z",
    level: "info",
    event: "run.ended",
    task: 'a "b"\nc\u2028',
    code: 0,
    ok: false,
    none: null,
  });
});

test("a line for people has the time, the level unless it is info, the event and its fields", () => {
  expect(
    formatHumanLine(entry({ fields: { task: "Nightly backup", run_id: "run_1", why: undefined, none: null } })),
  ).toBe('01:18:00.123  run.ended              task="Nightly backup" run_id=run_1\n');
  expect(formatHumanLine(entry({ level: "error", event: "x" }))).toBe("01:18:00.123  ERROR x\n");
  expect(formatHumanLine(entry({ fields: { text: "a\nb=c" } }))).toContain('text="a\\nb=c"');
});

describe("a log file", () => {
  test("keeps every line in order, for its owner alone", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "belfry.log");
    await using file = createLogFile(path);
    for (let count = 0; count < 500; count++) file.sink(entry({ fields: { count } }));
    await file.flush();
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).count as number)).toEqual(
      Array.from({ length: 500 }, (_, index) => index),
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("is appended to after a restart, and is rotated at ten megabytes, with five files in all", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "belfry.log");
    for (let round = 0; round < 7; round++) {
      await writeFile(path, "x".repeat(10 * 1024 * 1024 + 1));
      await using file = createLogFile(path);
      file.sink(entry({ fields: { round } }));
      await file.flush();
      expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ round });
    }
    expect((await readdir(dir.path)).sort()).toEqual([
      "belfry.log",
      "belfry.log.1",
      "belfry.log.2",
      "belfry.log.3",
      "belfry.log.4",
    ]);
    await using grown = createLogFile(path);
    grown.sink(entry({ fields: { round: 7 } }));
    await grown.flush();
    expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(2);
  });

  test("drops lines while the disk refuses them, and keeps lines again afterwards", async () => {
    await using dir = await tempDir();
    const folder = join(dir.path, "log");
    await using file = createLogFile(join(folder, "belfry.log"));
    file.sink(entry({ event: "lost" }));
    await file.flush();
    await mkdir(folder);
    file.sink(entry({ event: "kept" }));
    await file.flush();
    expect(await readFile(join(folder, "belfry.log"), "utf8")).toContain("kept");
  });

  test("does not touch a file that was moved away, and creates a new one in its place", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "belfry.log");
    await using file = createLogFile(path);
    file.sink(entry({ event: "before" }));
    await file.flush();
    await rename(path, join(dir.path, "moved"));
    await until("a line in the new file", async () => {
      file.sink(entry({ event: "after" }));
      await file.flush();
      return readFile(path, "utf8").then(
        (text) => text.includes("after"),
        () => false,
      );
    });
    expect(await readFile(join(dir.path, "moved"), "utf8")).toContain("before");
  });

  test("flushes the lines that arrived during a write", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "belfry.log");
    await using file = createLogFile(path);
    file.sink(entry({ event: "first" }));
    await until("the first line", () =>
      readFile(path, "utf8").then(
        (text) => text.includes("first"),
        () => false,
      ),
    );
    for (let count = 0; count < 50; count++) file.sink(entry({ event: "later" }));
    await file.flush();
    expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(51);
  });
});

import { tempDir, until } from "@belfry/test-kit";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog, type LogEntry } from "../../../kernel/log/log.ts";
import { systemClock } from "../../../kernel/time/clock.ts";
import { keptFolder } from "../../../runner/places.ts";
import { createOutputRemoval, notedMax } from "./output-removal.ts";

/** The rows of attempts whose output is to be removed, without a database. */
function rowsOf(ids: readonly string[]) {
  const rows = new Set(ids);
  const deletions: number[] = [];
  const outputs = {
    insert: (id: string): void => void rows.add(id),
    list: (): readonly string[] => [...rows],
    delete: (attemptIds: readonly string[]): void => {
      deletions.push(attemptIds.length);
      for (const id of attemptIds) rows.delete(id);
    },
  };
  return { rows, deletions, outputs };
}

const attemptIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `att_${String(index).padStart(20, "0")}`);

test("a large cleanup is noted in parts, so that no write takes long, and each part once", async () => {
  await using dir = await tempDir();
  const logged: LogEntry[] = [];
  const log = createLog(systemClock, "debug", [(entry) => logged.push(entry)]);
  const count = 2.5 * notedMax;
  const { rows, deletions, outputs } = rowsOf(attemptIds(count));
  const folder = keptFolder(dir.path, attemptIds(count).at(-1)!);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "stdout"), "x");
  const removal = createOutputRemoval({ dataDir: dir.path, log, outputs });
  removal.start();
  await until("the folder is removed", () => !existsSync(folder));
  const isAllNoted = (): boolean => {
    removal.note()();
    return rows.size === 0;
  };
  await until("all removals are noted", isAllNoted);
  expect(deletions.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...deletions)).toBeLessThanOrEqual(notedMax);
  expect(deletions.reduce((sum, each) => sum + each, 0)).toBe(count);
  expect(logged).toEqual([]);
});

test("what a write could not note is noted by the next one", async () => {
  await using dir = await tempDir();
  const { rows, outputs } = rowsOf([]);
  const removal = createOutputRemoval({ dataDir: dir.path, log: createLog(systemClock, "debug", []), outputs });
  const [first] = attemptIds(1);
  removal.remove([first!]);
  // the write is rolled back: the row is there again, and nobody calls the result
  await until("the removal is noted", () => {
    rows.add(first!);
    removal.note();
    return !rows.has(first!);
  });
  rows.add(first!);
  removal.note()();
  expect(rows.size).toBe(0);
  rows.add(first!);
  removal.note()();
  expect([...rows]).toEqual([first]);
});

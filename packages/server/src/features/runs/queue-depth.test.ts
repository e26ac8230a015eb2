import { limits } from "@belfry/contract";
import { ManualClock, tempDir } from "@belfry/test-kit";
import { getTableColumns } from "drizzle-orm";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../kernel/storage/database.ts";
import { migrate, readMigrations } from "../../kernel/storage/migrate.ts";
import { createWriter, type Unit } from "../../kernel/storage/write.ts";
import type { RunFact } from "./facts.ts";
import { createQueueDepth } from "./queue-depth.ts";
import { createRunStore } from "./store.ts";
import { type RunRow, runs } from "./table.ts";

const max = limits.queuedRunsPerTaskMax;

const required = { taskName: "t", trigger: "manual", state: "queued" } as const;
/** A row with null in every nullable column, and 0 in every column of numbers. */
const plainRow = Object.fromEntries(
  Object.entries(getTableColumns(runs)).map(([name, column]) => [name, column.notNull ? 0 : null]),
);
const queuedRow = (id: string, taskId: string): RunRow => ({ ...plainRow, ...required, id, taskId }) as RunRow;

async function openQueue() {
  const dir = await tempDir();
  const { db, sqlite, close } = openDatabase(join(dir.path, "test.db"));
  migrate(sqlite, readMigrations());
  const rows = createRunStore(db, () => {});
  const asked = { count: 0 };
  const queue = createQueueDepth({
    ...rows,
    countQueuedOf: (taskId) => {
      asked.count++;
      return rows.countQueuedOf(taskId);
    },
  });
  const { write } = createWriter<never>({
    sqlite,
    clock: new ManualClock(),
    onListenerError: () => {},
  });
  let made = 0;
  return {
    rows,
    queue,
    asked,
    write: (work: (unit: Unit<RunFact>) => void): void => write((unit) => work(unit as unknown as Unit<RunFact>)),
    /** Requests this many runs, as a schedule does. Returns how many of them got a place in the queue. */
    request: (unit: Unit<RunFact>, taskId: string, count: number): number => {
      let placed = 0;
      for (let number = 0; number < count; number++) {
        if (queue.isFull(unit, taskId)) continue;
        queue.insert(unit, taskId, () => rows.insert(queuedRow(`run_${made++}`, taskId)));
        placed++;
      }
      return placed;
    },
    [Symbol.asyncDispose]: async () => {
      close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

test("the rows are counted once, however many runs and writes there are, and a thousand runs get a place", async () => {
  await using app = await openQueue();
  app.write((unit) => expect(app.request(unit, "tsk_1", max - 1)).toBe(max - 1));
  app.write((unit) => expect(app.request(unit, "tsk_1", 10 * max)).toBe(1));
  app.write((unit) => expect(app.request(unit, "tsk_1", 10)).toBe(0));
  expect(app.asked.count).toBe(1);
});

test("a change of another write is counted", async () => {
  await using app = await openQueue();
  app.write((unit) => void app.request(unit, "tsk_1", max));
  app.write(() => app.rows.update(queuedRow("run_0", "tsk_1"), { state: "cancelled" }));
  app.write((unit) => expect(app.request(unit, "tsk_1", 10)).toBe(1));
});

test("another change of the queue in the same write is counted", async () => {
  await using app = await openQueue();
  app.write((unit) => {
    app.request(unit, "tsk_1", max);
    app.rows.update(queuedRow("run_0", "tsk_1"), { state: "cancelled" });
    expect(app.queue.isFull(unit, "tsk_1")).toBe(false);
    app.rows.insert(queuedRow("run_retried", "tsk_1"));
    expect(app.queue.isFull(unit, "tsk_1")).toBe(true);
    expect(app.queue.isFull(unit, "tsk_2")).toBe(false);
    expect(app.request(unit, "tsk_2", 3)).toBe(3);
    expect(app.queue.isFull(unit, "tsk_1")).toBe(true);
  });
});

test("a run requested in an undone write takes no place", async () => {
  await using app = await openQueue();
  const failed = new Error("the disk is full");
  expect(() =>
    app.write((unit) => {
      app.request(unit, "tsk_1", max);
      throw failed;
    }),
  ).toThrow(failed);
  app.write((unit) => expect(app.request(unit, "tsk_1", 2 * max)).toBe(max));
});

test("a place freed in an undone write stays taken", async () => {
  await using app = await openQueue();
  app.write((unit) => void app.request(unit, "tsk_1", max));
  const failed = new Error("the disk is full");
  expect(() =>
    app.write((unit) => {
      app.rows.update(queuedRow("run_0", "tsk_1"), { state: "cancelled" });
      expect(app.queue.isFull(unit, "tsk_1")).toBe(false);
      throw failed;
    }),
  ).toThrow(failed);
  app.write((unit) => expect(app.queue.isFull(unit, "tsk_1")).toBe(true));
});

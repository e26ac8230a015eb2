import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../kernel/database.ts";
import { migrate, readMigrations } from "../../kernel/migrate.ts";
import { createRunStore, type RunStore } from "./store.ts";

/** How SQLite goes about the statement that is prepared, or was, for one call of the store. */
async function planOf(call: (store: RunStore) => unknown, isMeant: (text: string) => boolean): Promise<string> {
  await using dir = await tempDir();
  const { db, sqlite, close } = openDatabase(join(dir.path, "test.db"));
  migrate(sqlite, readMigrations());
  const texts: string[] = [];
  const prepare = sqlite.prepare.bind(sqlite);
  Object.assign(sqlite, { prepare: (text: string) => (texts.push(text), prepare(text)) });
  call(createRunStore(db));
  const meant = texts.filter(isMeant);
  expect(meant).toHaveLength(1);
  const parameters = Array.from(meant[0]!.matchAll(/\?/g), () => 1);
  const steps = prepare(`EXPLAIN QUERY PLAN ${meant[0]!}`).all(...parameters) as { readonly detail: string }[];
  close();
  return steps.map(({ detail }) => detail).join("; ");
}

const from = { now: 1, full: [], limit: 5 };

test("the queue is read in its own order, page by page, and never sorted", async () => {
  const plan = await planOf(
    (store) => store.listWaiting({ ...from, after: null }),
    (text) => text.includes("NOT IN"),
  );
  expect(plan).toContain("SCAN runs USING INDEX runs_waiting;");
  expect(plan).not.toContain("ORDER BY");
});

test("the next later start is found without a look at those that start now", async () => {
  const plan = await planOf(
    (store) => store.findNextStart(1),
    (text) => text.includes("min("),
  );
  expect(plan).toBe("SEARCH runs USING INDEX runs_waiting_until (not_before>?)");
});

test("what waits and what lives of a task are found apart", async () => {
  const isCount = (text: string) => text.includes("count(*)") && !text.includes("group by");
  const queued = (text: string) => isCount(text) && text.includes("'queued'") && !text.includes('"attempt"');
  const live = (text: string) => isCount(text) && text.includes("'running'");
  expect(await planOf((store) => store.countQueuedOf("tsk"), queued)).toMatch(
    /COVERING INDEX runs_queued \(task_id=\?\)/,
  );
  expect(await planOf((store) => store.countContenders("tsk", 1), live)).toMatch(
    /INDEX runs_live_of_task \(task_id=\?\)/,
  );
});

test("the newest end of a task is found by an index, and so is what is too old, however long the history", async () => {
  expect(
    await planOf(
      (store) => store.findNewestEnd("tsk", 1),
      (text) => text.includes("'skipped'"),
    ),
  ).toBe("SEARCH runs USING INDEX runs_by_end (task_id=? AND ended_at>? AND ended_at<?)");
  const isOlder = (text: string) => text.includes('"ended_at" <') && !text.includes("'skipped'");
  expect(await planOf((store) => store.listOlder("tsk", 1, 1), isOlder)).toBe(
    "SEARCH runs USING INDEX runs_ended (task_id=? AND queued_at<?)",
  );
});

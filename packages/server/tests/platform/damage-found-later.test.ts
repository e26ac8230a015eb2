import { tempDir, until } from "@belfry/test-kit";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTask, runOnce } from "../support/tasks.ts";
import { damageTable } from "../support/damage.ts";
import type { Answer } from "../support/harness.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { killRunners } from "../support/processes/runners.ts";

const daemons = useDaemonProcess();

interface Line {
  readonly request_id?: string;
  readonly error?: string;
}

/** What the log says about the request of an answer. A line is written after its answer, on a busy disk much later. */
async function errorOf(dataDir: string, { headers }: Answer): Promise<string | undefined> {
  const line = await until("its line in the log", async () => {
    const text = await readFile(join(dataDir, "log", "belfry.log"), "utf8");
    // the last line may not be complete yet
    const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
    return lines
      .filter((each) => each !== "")
      .map((each) => JSON.parse(each) as Line)
      .find(({ request_id }) => request_id === headers["x-request-id"]);
  });
  return line.error;
}

/** A daemon that has stored a task and its trigger before, with damage in the root page of these tables or indexes. */
async function startDamaged(dataDir: string, ...tables: readonly string[]) {
  {
    await using first = await daemons.start({ dataDir });
    const task = await makeTask(first, "exit 0", { name: "before" });
    await first.call("POST", "/v1/triggers", { name: "before", target_task_id: task.id });
    await first.stop();
    await killRunners(dataDir);
  }
  for (const table of tables) await damageTable(dataDir, table);
  return daemons.start({ dataDir });
}

test("damage in one table gives 500 and a log line for its reads and changes, and everything else works", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await using daemon = await startDamaged(dataDir, "triggers");
  const task = await makeTask(daemon, "exit 0");
  const answers = [
    await daemon.call("GET", "/v1/triggers"),
    await daemon.call("POST", "/v1/triggers", { name: "t", target_task_id: task.id }),
  ];
  for (const answer of answers) {
    const { status, json } = answer;
    expect([status, json.error.code]).toEqual([500, "internal"]);
    expect(json.error.message).toContain("the database is damaged (table triggers");
    expect(await errorOf(dataDir, answer)).toMatch(
      /DamageError: the database is damaged \(table triggers.*SQLITE_CORRUPT/s,
    );
  }
  expect(await runOnce(daemon, "exit 0")).toMatchObject({ state: "succeeded" });
  const { json } = await daemon.call("GET", "/v1/audit?result=failed");
  expect(json.audit_events).toMatchObject([{ operation: "triggers.create", error_code: "internal" }]);
  expect(await daemon.stop()).toBe(0);
});

test("a damaged table of tasks does not stop the daemon", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await using daemon = await startDamaged(dataDir, "tasks");
  expect(await daemon.call("GET", "/v1/tasks")).toMatchObject({ status: 500 });
  expect(await daemon.call("POST", "/v1/groups", { name: "g" })).toMatchObject({ status: 201 });
  expect(daemon.said.stderr).toBe("");
  expect(await daemon.stop()).toBe(0);
});

test.each([
  ["the table of", ["audit_events"]],
  ["an index of", ["audit_events_by_time", "audit_events_by_actor"]],
])("if %s the audit trail is damaged, the daemon starts, and calls change nothing and are 503", async (_, damaged) => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await using daemon = await startDamaged(dataDir, ...damaged);
  const made = await daemon.call("POST", "/v1/groups", { name: "g" });
  expect(made).toMatchObject({ status: 503, json: { error: { code: "audit_unavailable" } } });
  expect((await daemon.call("GET", "/v1/groups")).json).toMatchObject({ groups: [] });
  expect(await errorOf(dataDir, made)).toContain("table audit_events");
  // lines are written in their order, and this one is of the start
  expect(await readFile(join(dataDir, "log", "belfry.log"), "utf8")).toContain('"event":"audit.not_checked"');
});

import type { AuditChain, AuditEvent, AuditEventList, Group, Schedule, Task } from "@belfry/client";
import { tempDir } from "@belfry/test-kit";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createLog, type Log, systemClock } from "../../../../packages/server/src/index.ts";
import type { LogEntry } from "../../../../packages/server/src/kernel/log/log.ts";
import type { HarnessOptions } from "../../../../packages/server/tests/support/harness.ts";
import { changeRows, query } from "../../../../packages/server/tests/support/api.ts";
import { hashEvent } from "../../src/audit/event-hash.ts";
import { startBelfry } from "../belfry.ts";

type Belfry = Awaited<ReturnType<typeof startBelfry>>;

async function withEvents(count: number, options: HarnessOptions = {}): Promise<Belfry> {
  const belfry = await startBelfry(options);
  for (let done = 0; done < count; done++) await belfry.daemon.call("POST", "/v1/groups", { name: `Group ${done}` });
  return belfry;
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AuditEvent);

test("audit export writes one record per line, newest first: a page, or all pages with --all", async () => {
  await using belfry = await withEvents(25);
  const { audit_events: listed } = await belfry.json<AuditEventList>("audit", "list", "--limit", "1000");
  const page = await belfry.call(["audit", "export", "--limit", "10"]);
  expect(page).toMatchObject({ code: 0, stderr: "Exported the newest 10. Use --limit <n> or --all for more\n" });
  expect(linesOf(page.stdout)).toEqual(listed.slice(0, 10));

  const all = linesOf(await belfry.text("audit", "export", "--all", "--limit", "7", "--operation", "groups.create"));
  expect(all).toEqual(listed);
  // each page is in the trail
  const exports = await belfry.json<AuditEventList>("audit", "list", "--operation", "audit.export");
  expect(exports.audit_events).toHaveLength(1 + 4);
  expect(exports.audit_events[0]).toMatchObject({ resource_type: "audit_event", resource_id: null, result: "allowed" });
});

test("audit export --output writes a file that only its owner can read, complete or not at all", async () => {
  await using belfry = await withEvents(3);
  await using dir = await tempDir();
  const file = join(dir.path, "audit.ndjson");
  const done = await belfry.call(["audit", "export", "--all", "--output", file]);
  expect(done).toMatchObject({ code: 0, stdout: "", stderr: "Exported 3 records\n" });
  expect(linesOf(await readFile(file, "utf8"))).toHaveLength(3);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  // an existing file stays, and the export is not even recorded
  const again = await belfry.call(["audit", "export", "--output", file]);
  expect(again).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining('"audit.ndjson" exists already'),
  });
  expect(linesOf(await readFile(file, "utf8"))).toHaveLength(3);
  const { audit_events: exports } = await belfry.json<AuditEventList>("audit", "list", "--operation", "audit.export");
  expect(exports).toHaveLength(1);

  changeRows(
    belfry.daemon,
    "CREATE TRIGGER unwritable BEFORE INSERT ON audit_events BEGIN SELECT RAISE(FAIL, ''); END",
  );
  const refused = await belfry.call(["audit", "export", "--output", join(dir.path, "other.ndjson")]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("audit trail");
  expect(await readdir(dir.path)).toEqual(["audit.ndjson"]);
});

test("audit list filters by the name of an actor, by a resource and by an operation, and refuses unknown ones", async () => {
  await using belfry = await withEvents(2);
  const { groups } = await belfry.json<{ groups: readonly Group[] }>("group", "list");
  await belfry.text("actor", "add", "Board", "--capability", "observe");
  await belfry.text("group", "disable", "Group 1");
  const listed = async (...filters: readonly string[]) =>
    (await belfry.json<AuditEventList>("audit", "list", ...filters)).audit_events.map(({ operation }) => operation);
  expect(await listed("--actor", "local")).toEqual([
    "groups.disable",
    "actors.create",
    "groups.create",
    "groups.create",
  ]);
  expect(await listed("--actor", "Board")).toEqual([]);
  const group = groups.find(({ name }) => name === "Group 1")!;
  expect(await listed("--resource", group.id)).toEqual(["groups.disable", "groups.create"]);
  expect(linesOf(await belfry.text("audit", "export", "--resource", group.id))).toHaveLength(2);

  const refused = async (...filters: readonly string[]) => {
    const { code, stderr } = await belfry.call(["audit", "list", ...filters]);
    expect(code, filters.join(" ")).toBeGreaterThan(0);
    return stderr;
  };
  expect(await refused("--actor", "Bord")).toMatch(/there is no actor "Bord"[^]*Did you mean "Board"/);
  expect(await refused("--operation", "tasks.zork")).toMatch(/there is no operation "tasks.zork"[^]*tasks\.update/);
  expect(await refused("--operation", "task.update")).toContain("Did you mean tasks.update");
  expect(await refused("--operation", "trigger*")).toMatch(/Patterns are not supported[^]*triggers\.create/);
  expect(await refused("--resource", "Group 1")).toContain("--resource must be an id");
});

test("audit verify passes an intact trail, prints its head, and leaves no row", async () => {
  await using belfry = await startBelfry();
  expect(await belfry.text("audit", "verify")).toBe("The audit trail is empty\n");
  await belfry.text("group", "add", "One");
  await belfry.text("group", "add", "Two");
  const [newest] = query<{ hash: string }>(belfry.daemon, "SELECT hash FROM audit_events WHERE number = 2");
  const head = `2:${newest!.hash}`;
  expect(await belfry.text("audit", "verify")).toBe(`The audit trail is intact: 2 records\nHead: ${head}\n`);
  await belfry.text("group", "add", "Three");
  expect(await belfry.text("audit", "verify", "--head", head)).toContain("intact: 3 records");
  expect(await belfry.json<AuditChain>("audit", "verify")).toMatchObject({
    events: 3,
    head: { number: 3 },
    anchor: null,
  });
  const other = await belfry.call(["audit", "verify", "--head", `2:${"0".repeat(64)}`]);
  expect(other).toMatchObject({ code: 1, stdout: "" });
  expect(other.stderr).toContain("Record 2, the head given with --head, is not part of the chain");
  const malformed = await belfry.call(["audit", "verify", "--head", "2:abc"]);
  expect(malformed.code).toBe(2);
  expect((await belfry.call(["audit", "verify", "--actor", "act_1"])).code).toBe(2);
});

/** The right hash of the row that `forged` appends to nine rows. */
function hashOfForged(daemon: Belfry["daemon"]): string {
  const [row] = query<Record<string, string>>(daemon, "SELECT * FROM audit_events WHERE number = 9");
  const { number: _number, changed_fields_json: changed, at, hash: previous_hash, ...rest } = row!;
  return hashEvent({
    ...(rest as unknown as AuditEvent),
    id: "aud_forged",
    at: new Date(Number(at)).toISOString(),
    changed_fields: JSON.parse(changed!) as string[],
    previous_hash: previous_hash!,
  });
}

async function expectBreak(belfry: Belfry, sentence: RegExp): Promise<void> {
  const verdict = await belfry.call(["audit", "verify"]);
  expect(verdict).toMatchObject({ code: 1, stdout: "" });
  expect(verdict.stderr).toMatch(sentence);
  expect(verdict.stderr).toContain('"If it does not verify" in docs/audit.md');
  const json = await belfry.call(["audit", "verify", "--json"]);
  expect(json.code).toBe(1);
}

test("audit verify finds a change of any column of any row", async () => {
  await using belfry = await withEvents(9);
  const columns = query<{ name: string }>(belfry.daemon, "SELECT name FROM pragma_table_info('audit_events')");
  const values: Readonly<Record<string, string>> = {
    at: "at + 1",
    transport: "'remote'",
    result: "'failed'",
    changed_fields_json: "'[]'",
  };
  for (const { name } of columns) {
    if (name === "number") continue;
    for (const number of [1, 5, 9]) {
      const [row] = query<Record<string, string>>(
        belfry.daemon,
        `SELECT ${name} AS value FROM audit_events WHERE number = ${number}`,
      );
      changeRows(
        belfry.daemon,
        `UPDATE audit_events SET ${name} = ${values[name] ?? "'other'"} WHERE number = ${number}`,
      );
      await expectBreak(belfry, /^belfry: .*(was changed|missing)/);
      changeRows(belfry.daemon, `UPDATE audit_events SET ${name} = ? WHERE number = ${number}`, row!["value"]);
    }
  }
  // the daemon itself noticed the last row, whose hash is the head
  const { json } = await belfry.daemon.call("GET", "/v1/audit/chain");
  expect(json.tampered_at).not.toBeNull();
});

test("the audit trail names a task that was added alone, and the import of a task with a schedule", async () => {
  await using belfry = await startBelfry();
  const { task: alone } = await belfry.json<{ task: Task }>("task", "add", "Alone", "--", "true");
  const daily = ["task", "add", "Daily", "--cron", "0 3 * * *", "--", "true"];
  const { task, schedules } = await belfry.json<{ task: Task; schedules: readonly Schedule[] }>(...daily);
  const { audit_events: events } = await belfry.json<AuditEventList>("audit", "list");
  expect(events).toMatchObject([
    { operation: "import.create", resource_type: "import", resource_id: expect.stringMatching(/^imp_/) },
    { operation: "tasks.create", resource_type: "task", resource_id: alone.id },
  ]);
  const shown = await belfry.text("import", "show", events[0]!.resource_id!);
  expect(shown).toMatch(new RegExp(`^task +Daily +${task.id}$`, "m"));
  expect(shown).toMatch(new RegExp(`^schedule +0 3 \\* \\* \\* +${schedules[0]!.id}$`, "m"));
  expect((await belfry.call(["import", "show", "imp_00000000000000000000"])).code).toBe(3);
});

describe("a daemon that runs notices a record that was removed in the middle", () => {
  const reads: readonly (readonly [read: string, args: readonly string[]])[] = [
    ["a list of all records", ["audit", "list", "--all"]],
    ["an export of all records", ["audit", "export", "--all"]],
    ["a page with the record after it", ["audit", "list", "--limit", "7"]],
  ];
  test.each(reads)("in %s", async (_, args) => {
    const faults: LogEntry["fields"][] = [];
    await using belfry = await withEvents(9, { log: logOf(faults) });
    changeRows(belfry.daemon, "DELETE FROM audit_events WHERE number = 4");
    // a part of the trail has gaps anyway, and a change adds to the newest end
    await belfry.text("audit", "list", "--operation", "groups.create");
    await belfry.text("group", "add", "Later");
    expect(faults).toEqual([]);
    await belfry.text(...args);
    expect(faults).toEqual([expect.objectContaining({ fault: "row_missing", number: 4 })]);
    await belfry.text("group", "add", "Much later");
    const [head] = query<{ tampered_at: number | null }>(belfry.daemon, "SELECT tampered_at FROM audit_head");
    expect(head!.tampered_at).not.toBeNull();
  });

  test("when it is asked for the ends of the chain", async () => {
    const faults: LogEntry["fields"][] = [];
    await using belfry = await withEvents(9, { log: logOf(faults) });
    changeRows(belfry.daemon, "DELETE FROM audit_events WHERE number = 4");
    const { json } = await belfry.daemon.call("GET", "/v1/audit/chain");
    expect(json.tampered_at).not.toBeNull();
    expect(faults).toEqual([expect.objectContaining({ fault: "rows_miscounted", count: 8, expected: 9 })]);
  });
});

function logOf(faults: LogEntry["fields"][]): Log {
  return createLog(systemClock, "info", [
    ({ event, fields }) => void (event === "audit.tampered" && faults.push(fields)),
  ]);
}

const someBreak =
  /^belfry: .*(is missing|are missing|not part of the chain|does not follow|another program|were removed)/;

describe("audit verify finds", () => {
  const forged = `INSERT INTO audit_events SELECT 10, 'aud_forged', at, actor_id, actor_name, transport, operation,
    resource_type, resource_id, result, error_code, request_id, changed_fields_json, hash, ? FROM audit_events WHERE number = 9`;
  const changes: Readonly<Record<string, (belfry: Belfry) => void>> = {
    "the removal of a row": ({ daemon }) => changeRows(daemon, "DELETE FROM audit_events WHERE number = 5"),
    "the removal of the newest rows": ({ daemon }) => changeRows(daemon, "DELETE FROM audit_events WHERE number > 6"),
    "the removal of the oldest rows": ({ daemon }) => changeRows(daemon, "DELETE FROM audit_events WHERE number < 3"),
    "the removal of all rows": ({ daemon }) => changeRows(daemon, "DELETE FROM audit_events; DELETE FROM audit_head"),
    "an appended row with the right hash": ({ daemon }) => changeRows(daemon, forged, hashOfForged(daemon)),
    "an appended row with the right hash, and the head moved to it": ({ daemon }) => {
      changeRows(daemon, forged, hashOfForged(daemon));
      changeRows(daemon, "UPDATE audit_head SET number = 10, hash = ?", hashOfForged(daemon));
    },
    "exchanged rows": ({ daemon }) =>
      changeRows(
        daemon,
        "UPDATE audit_events SET number = -1 WHERE number = 3; UPDATE audit_events SET number = 3 WHERE number = 7; UPDATE audit_events SET number = 7 WHERE number = -1",
      ),
    "a row with another number": ({ daemon }) =>
      changeRows(daemon, "UPDATE audit_events SET number = 77 WHERE number = 3"),
  };
  test.each(Object.entries(changes))("%s, while the daemon runs and after its next start", async (_, change) => {
    await using belfry = await withEvents(9);
    change(belfry);
    await expectBreak(belfry, someBreak);
    // a row that follows does not repair the chain
    await belfry.text("group", "add", "Later");
    await expectBreak(belfry, someBreak);
    await belfry.daemon.stop();
    await using again = await startBelfry({ dataDir: belfry.daemon.dataDir });
    await expectBreak(again, someBreak);
  });

  test.each(Object.entries(changes))("%s, made while no daemon runs", async (_, change) => {
    await using belfry = await withEvents(9);
    await belfry.daemon.stop();
    change(belfry);
    await using again = await startBelfry({ dataDir: belfry.daemon.dataDir });
    await expectBreak(again, someBreak);
  });
});

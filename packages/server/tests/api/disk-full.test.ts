import { type Operation } from "@belfry/contract";
import BetterSqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { everything } from "../support/api.ts";
import { expectRefusal, sampleOf, localOperations } from "../support/call.ts";
import { type TestApplication, openTestApplication } from "../support/application.ts";
import type { Sample } from "../support/sample-makers.ts";

/** Fills the disk until even the smallest audit row no longer fits. */
function fillDisk({ sqlite }: TestApplication): void {
  sqlite.pragma(`max_page_count = ${sqlite.pragma("page_count", { simple: true }) as number}`);
  const filler = sqlite.prepare(
    `INSERT INTO audit_events (id, at, actor_id, actor_name, transport, operation, resource_type, result, request_id, changed_fields_json, hash)
     VALUES (?, 0, '', '', 'local', '', '', 'failed', '', '', '')`,
  );
  for (let count = 0; count < 100_000; count++) {
    try {
      filler.run(count.toString(36));
    } catch (error) {
      expect(error).toMatchObject({ code: "SQLITE_FULL" });
      return;
    }
  }
  throw new Error("the disk does not fill");
}

function makeRoom({ sqlite }: TestApplication): void {
  sqlite.pragma("max_page_count = 4294967294");
  sqlite.exec("DELETE FROM audit_events WHERE request_id = ''");
}

/** Refuses every row of the trail, and nothing else. */
function lockTrail({ sqlite }: TestApplication): void {
  sqlite.exec("CREATE TRIGGER unwritable BEFORE INSERT ON audit_events BEGIN SELECT RAISE(ABORT, 'planted'); END");
}

function unlockTrail({ sqlite }: TestApplication): void {
  sqlite.exec("DROP TRIGGER unwritable");
}

const audited = localOperations.filter((operation) => operation.audited);

test.each([
  { cause: "a full disk", prevent: fillDisk, allow: makeRoom },
  { cause: "a trail that refuses every row", prevent: lockTrail, allow: unlockTrail },
])(
  "with $cause every audited call is 503, changes, reveals and publishes nothing; afterwards it succeeds",
  async ({ prevent, allow }) => {
    await using app = await openTestApplication({ canRun: true });
    const calls: { readonly operation: Operation; readonly sample: Sample }[] = [];
    for (const operation of audited) calls.push({ operation, sample: await sampleOf(app, operation) });
    // exports and reveals are among them
    expect(calls.filter(({ operation }) => operation.kind === "read").map(({ operation }) => operation.id)).toContain(
      "audit.export",
    );
    const published: string[] = [];
    app.hub.subscribe(null, {
      write: (frames) => {
        for (const frame of frames) if ("shared" in frame) published.push(String(frame.shared));
        return true;
      },
      end: () => {},
    });

    prevent(app);
    const before = everything(app);
    for (const { operation, sample } of calls) {
      const answer = await app.call(operation.method.toUpperCase(), sample.path, sample.body);
      expectRefusal(answer, "audit_unavailable", null);
      expect(everything(app), operation.id).toEqual(before);
    }
    expect((await app.call("GET", "/v1/tasks")).status).toBe(200);
    expect((await app.call("GET", "/v1/health")).status).toBe(200);
    expect(published).toEqual([]);

    allow(app);
    // the reset of the identity must name the current one, so the rename comes first
    for (const { operation, sample } of calls) {
      const answer = await app.call(operation.method.toUpperCase(), sample.path, sample.body);
      expect(answer.status, `${operation.id} ${answer.text}`).toBeLessThan(300);
    }
  },
);

test("with a full disk concurrent calls are each 503, and none takes effect", async () => {
  await using app = await openTestApplication({ canRun: true });
  fillDisk(app);
  const before = everything(app);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => app.call("POST", "/v1/groups", { name: `group ${index}` })),
  );
  for (const answer of answers) expectRefusal(answer, "audit_unavailable", null);
  expect(everything(app)).toEqual(before);
  makeRoom(app);
  expect((await app.call("POST", "/v1/groups", { name: "group 0" })).status).toBe(201);
});

test("with a full disk an audited refusal is 503 too, and the refusal of a plain read is not", async () => {
  await using app = await openTestApplication({ canRun: true });
  fillDisk(app);
  expectRefusal(await app.call("POST", "/v1/tasks", { nonsense: 1 }), "audit_unavailable");
  expectRefusal(await app.call("POST", "/v1/groups/grp_00000000000000000000/enable"), "audit_unavailable");
  expectRefusal(await app.call("GET", "/v1/tasks/tsk_00000000000000000000/environment"), "audit_unavailable");
  expectRefusal(await app.call("GET", "/v1/tasks/tsk_00000000000000000000"), "not_found");
});

test("calls are 503 while another program locks the database, and succeed once the lock is released", async () => {
  await using app = await openTestApplication({ canRun: true });
  app.sqlite.pragma("busy_timeout = 0");
  const other = new BetterSqlite(app.sqlite.name);
  other.exec("BEGIN IMMEDIATE");
  expectRefusal(await app.call("POST", "/v1/groups", { name: "held" }), "audit_unavailable");
  other.exec("ROLLBACK");
  other.close();
  expect((await app.call("POST", "/v1/groups", { name: "held" })).status).toBe(201);
});

import { expect, test } from "vitest";
import { startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { startUi } from "./start-ui.ts";

test("a page with a session calls the daemon, and gets its answers and errors as they are", async () => {
  await using daemon = await startDaemon();
  await using ui = await startUi({ socket: daemon.socketPath });
  const page = await ui.open();
  const created = await page.call(
    "POST",
    "/api/v1/tasks",
    { name: "Backup", command: { kind: "shell", script: "echo hello" } },
    { "idempotency-key": "one" },
  );
  expect([created.status, created.json.name, created.headers["etag"]]).toEqual([201, "Backup", '"1"']);
  expect(created.headers["x-request-id"]).toMatch(/^req_/);
  const again = await page.call(
    "POST",
    "/api/v1/tasks",
    { name: "Backup", command: { kind: "shell", script: "echo hello" } },
    { "idempotency-key": "one" },
  );
  expect([again.status, again.json.id, again.headers["idempotent-replay"]]).toEqual([201, created.json.id, "true"]);
  const path = `/api/v1/tasks/${created.json.id}`;
  expect((await page.call("PATCH", path, { name: "B" }, { "if-match": '"7"' })).json.error.code).toBe(
    "precondition_failed",
  );
  expect((await page.call("GET", "/api/v1/tasks?limit=1")).json.tasks).toHaveLength(1);
  const refused = await page.call("GET", "/api/v1/tasks?nope=1");
  expect([refused.status, refused.json.error.code, refused.headers["belfry-shell-error"]]).toEqual([
    400,
    "validation_failed",
    undefined,
  ]);
  expect((await page.call("DELETE", path)).status).toBe(204);
});

test("without a daemon, the answer says so in the form of the daemon's errors", async () => {
  await using ui = await startUi();
  const page = await ui.open();
  for (const [method, path] of [
    ["GET", "/api/v1/tasks"],
    ["DELETE", "/api/v1/tasks/tsk_1"],
  ] as const) {
    const got = await page.call(method, path);
    expect([got.status, got.headers["belfry-shell-error"]]).toEqual([503, "unreachable"]);
    expect(got.json).toMatchObject({
      error: { code: "unreachable", field: null, message: expect.stringContaining("The daemon is not running") },
    });
  }
});

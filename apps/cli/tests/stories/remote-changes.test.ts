import { expect, test } from "vitest";
import { enroll, newMachine, newRemote } from "../machine.ts";

const id = "tsk_00000000000000000001";
const task = { id, name: "Backup", readiness: "ready", reason: "ready", lifecycle: "active", enabled: true };
const invalid = { error: { code: "validation_failed", field: "expression", message: "expression is never due" } };
const adding = ["--profile", "build", "task", "add", "Backup"];

/** A daemon that accepts tasks, and perhaps schedules. */
function remoteThat({ acceptsSchedules }: { readonly acceptsSchedules: boolean }) {
  return newRemote(({ method, path }) => {
    if (method === "POST" && path === "/tasks") return { status: 201, json: task };
    if (method === "POST" && path === "/schedules")
      return acceptsSchedules ? { status: 201, json: {} } : { status: 400, json: invalid };
    if (path.startsWith("/tasks?")) return { json: { tasks: [task], next_cursor: null } };
    if (path.startsWith("/schedules?")) return { json: { schedules: [], next_cursor: null } };
    if (method === "DELETE") return { status: 204 };
    return path === `/tasks/${id}` ? { json: task } : null;
  });
}

test("a task and its schedule are added to a daemon on another machine", async () => {
  await using machine = await newMachine();
  await using remote = await remoteThat({ acceptsSchedules: true });
  await enroll(machine, remote, "build");
  expect(await machine.call([...adding, "--cron", "@daily", "--", "backup"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Added task "Backup" (${id})`),
  });
  const changes = remote.daemon.seen.filter(({ method }) => method !== "GET").slice(1);
  expect(changes.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toMatchObject([
    ["POST", "/tasks", { name: "Backup", command: { kind: "exec", program: "backup" } }],
    ["POST", "/schedules", { task_id: id, kind: "cron", expression: "@daily" }],
  ]);
});

test("a task that could not be removed after its schedule failed is named", async () => {
  await using machine = await newMachine();
  await using remote = await newRemote(({ method, path }) => {
    if (method === "POST" && path === "/tasks") return { status: 201, json: task };
    if (method === "POST" && path === "/schedules") return { status: 400, json: invalid };
    return method === "DELETE"
      ? { status: 500, json: { error: { code: "internal", field: null, message: "x" } } }
      : null;
  });
  await enroll(machine, remote, "build");
  expect(await machine.call([...adding, "--cron", "0 0 30 2 *", "--", "backup"])).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(
      new RegExp(
        `the schedule could not be added .* and task "Backup" could perhaps not be removed again\\n.*task show ${id}`,
      ),
    ),
  });
});

test("a task whose schedule the daemon rejects is not added", async () => {
  await using machine = await newMachine();
  await using remote = await remoteThat({ acceptsSchedules: false });
  await enroll(machine, remote, "build");
  expect(await machine.call([...adding, "--cron", "0 0 30 2 *", "--", "backup"])).toMatchObject({
    code: 2,
    stderr: "belfry: --cron is never due\n",
  });
  expect(remote.daemon.seen.at(-1)).toMatchObject({ method: "DELETE", path: `/tasks/${id}` });
});

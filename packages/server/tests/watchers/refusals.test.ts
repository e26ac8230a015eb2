import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTask } from "../support/tasks.ts";
import { useDaemon, watch } from "../support/watchers.ts";

const daemon = useDaemon();

const directory = { kind: "directory", path: "/srv" };
const file = { kind: "file", path: "/srv/file" };

const created: readonly (readonly [body: object, field: string])[] = [
  [{ ...directory, path: "srv" }, "path"],
  [{ ...directory, path: "./srv" }, "path"],
  [{ ...directory, path: "/srv/" }, "path"],
  [{ ...directory, path: "/srv//in" }, "path"],
  [{ ...directory, path: "/srv/../in" }, "path"],
  [{ ...directory, path: "/srv/\0" }, "path"],
  [{ ...directory, path: `/${"é".repeat(2_048)}` }, "path"],
  [{ ...directory, path: "" }, "path"],
  [{ ...file, path: "/srv/file/" }, "path"],
  [{ ...directory, pattern: "a/*.csv" }, "pattern"],
  [{ ...directory, pattern: "" }, "pattern"],
  [{ ...directory, pattern: "{a" }, "pattern"],
  [{ ...directory, pattern: "*a*b*c*d" }, "pattern"],
  [{ ...directory, debounce: "24ms" }, "debounce"],
  [{ ...directory, debounce: "61m" }, "debounce"],
  [{ ...directory, stability: "24ms" }, "stability"],
  [{ ...directory, stability: "61m" }, "stability"],
  [{ ...directory, max_wait: "1499ms" }, "max_wait"],
  [{ ...directory, max_wait: "25h" }, "max_wait"],
  [{ ...file, pattern: "*" }, "pattern"],
  [{ ...file, recursive: true }, "recursive"],
  [{ ...directory, on_start: "never" }, "on_start"],
  [{ path: "/srv" }, "kind"],
];

test("bad input is refused at the creation, by the member that is wrong", async () => {
  const { id } = await makeTask(daemon(), "true");
  for (const [body, field] of created) {
    const { status, json } = await daemon().call("POST", "/v1/filesystem-watchers", {
      name: "refused",
      target_task_id: id,
      ...body,
    });
    expect([status, json.error?.code, json.error?.field], JSON.stringify(body)).toEqual([
      400,
      "validation_failed",
      field,
    ]);
  }
  for (const path of [daemon().dataDir, join(daemon().dataDir, "log"), join(daemon().dataDir, "belfry.db")]) {
    const body = { name: "refused", target_task_id: id, kind: "file", path };
    const { status, json } = await daemon().call("POST", "/v1/filesystem-watchers", body);
    expect([status, json.error?.code, json.error?.field]).toEqual([400, "validation_failed", "path"]);
  }
  const { json } = await daemon().call("GET", "/v1/filesystem-watchers?q=refused");
  expect(json.filesystem_watchers).toEqual([]);
});

const patched: readonly (readonly [body: object, field: string])[] = [
  [{ path: "srv" }, "path"],
  [{ kind: "file" }, "kind"],
  [{ kind: "file", recursive: false }, "kind"],
  [{ kind: "file", recursive: false, pattern: "*.csv" }, "pattern"],
  [{ debounce: "2m" }, "debounce"],
  [{ stability: "2m" }, "stability"],
  [{ max_wait: "100ms" }, "max_wait"],
  [{ pattern: "a/b" }, "pattern"],
];

test("an edit is refused if the whole watcher would be wrong after it, and changes nothing", async () => {
  await using watching = await watch(daemon(), { watcher: { recursive: true, pattern: "*.csv" } });
  const before = await watching.read();
  for (const [body, field] of patched) {
    const { status, json } = await daemon().call("PATCH", `/v1/filesystem-watchers/${watching.id}`, body);
    expect([status, json.error?.code, json.error?.field], JSON.stringify(body)).toEqual([
      400,
      "validation_failed",
      field,
    ]);
  }
  expect(await watching.read()).toEqual(before);
});

test("a path that is missing is accepted, and so is one with the most bytes", async () => {
  await using missing = await watch(daemon(), { member: "missing/deeper", health: "missing_path" });
  expect((await missing.read()).readiness).toBe("ready");
  const path = `/${`${"x".repeat(255)}/`.repeat(15)}${"y".repeat(254)}`;
  await using longest = await watch(daemon(), { watcher: { path }, health: "missing_path" });
  expect(Buffer.byteLength((await longest.read()).path)).toBe(4_095);
});

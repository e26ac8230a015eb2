import { tempDir, until } from "@belfry/test-kit";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callBelfry } from "../call.ts";

/** A server in place of the daemon, which responds as a test needs it. */
async function standIn(listener: RequestListener) {
  const dir = await tempDir();
  const socket = join(dir.path, "belfry.sock");
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    call: (...words: readonly string[]) => callBelfry(words, { environment: { BELFRY_SOCKET: socket } }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** The manifest, which the SDK requests before its first change. */
const manifest = { product_version: "1.4.0", protocol_versions: { local: "v1", remote: null } };

const taskId = "tsk_00000000000000000000";
const groupId = "grp_00000000000000000000";
const scheduleId = "sch_00000000000000000000";

function answer(status: number, body: object): RequestListener {
  return (_, outgoing) =>
    void outgoing
      .writeHead(status, { "content-type": "application/json", "x-request-id": "req_1" })
      .end(JSON.stringify(body));
}

const refusals: readonly (readonly [status: number, code: string, exitCode: number])[] = [
  [400, "validation_failed", 2],
  [403, "forbidden", 5],
  [403, "origin_rejected", 5],
  [404, "not_found", 3],
  [409, "conflict", 1],
  [412, "precondition_failed", 1],
  [413, "payload_too_large", 2],
  [500, "internal", 1],
  [503, "audit_unavailable", 1],
  [418, "something_new", 1],
];
test.each(refusals)(
  "an error with %i %s sets the exit code, and its message is shown: %#",
  async (status, code, exitCode) => {
    await using daemon = await standIn(answer(status, { error: { code, field: null, message: "because of that" } }));
    const outcome = await daemon.call("manifest", "show");
    expect(outcome).toMatchObject({ code: exitCode, stdout: "", stderr: expect.stringContaining("because of that") });
  },
);

test("with --json, a missing resource has one code, whether the command or the daemon misses it", async () => {
  const codeOf = ({ stderr }: { readonly stderr: string }) =>
    (JSON.parse(stderr) as { error: { code: string } }).error.code;
  await using empty = await standIn(answer(200, { tasks: [], next_cursor: null }));
  const byName = await empty.call("task", "show", "Backup", "--json");
  await using daemon = await standIn(answer(404, { error: { code: "not_found", field: null, message: "no task" } }));
  const byId = await daemon.call("task", "show", taskId, "--json");
  expect([byName.code, codeOf(byName)]).toEqual([3, "not_found"]);
  expect([byId.code, codeOf(byId)]).toEqual([3, "not_found"]);
});

test("without a daemon, the error says how to name another one", async () => {
  await using dir = await tempDir();
  const { code, stderr } = await callBelfry(["--data-dir", dir.path, "task", "list"]);
  expect(code).toBe(4);
  expect(stderr)
    .toBe(`belfry: The daemon is not running (no socket at ${join(dir.path, "belfry.sock")}). Start it with \`belfry --data-dir ${dir.path} daemon run\`.
If it runs as another user or with another data directory, name that one with --data-dir <dir> or --socket <path>
`);
});

test("an internal error of the daemon is shown with its request id", async () => {
  await using daemon = await standIn(answer(500, { error: { code: "internal", field: null, message: "oh" } }));
  expect((await daemon.call("manifest", "show")).stderr).toBe("belfry: oh (request req_1 in the daemon's log)\n");
});

test("an invalid member is named without its position in the request", async () => {
  const refusal = answer(400, {
    error: { code: "validation_failed", field: "tasks.0.name", message: "must not be empty" },
  });
  await using daemon = await standIn((incoming, outgoing) =>
    (incoming.method === "POST" ? refusal : answer(200, manifest))(incoming, outgoing),
  );
  expect((await daemon.call("task", "add", "x", "--", "y")).stderr).toBe("belfry: name: must not be empty\n");
});

/** Errors about one member: the daemon's message and the command's. */
const faults: readonly (readonly [words: readonly string[], field: string, message: string, output: string])[] = [
  [["group", "add", "x"], "name", "is no name", "name: is no name"],
  [["manifest", "rename", ""], "display_name", "display_name must not be empty", "name must not be empty"],
  [
    ["manifest", "reset", "--confirm", "x"],
    "confirm_installation_id",
    "is not the current id",
    "--confirm: is not the current id",
  ],
  [["group", "edit", groupId, "--name", "x"], "name", "name must not be empty", "--name must not be empty"],
  [["group", "edit", groupId, "--name", "x"], "name", "is too long to name it", "--name: is too long to name it"],
  [["group", "add", "x", "--parent", groupId], "parent_id", "there is no group", "--parent: there is no group"],
  [["group", "add", "x", "--limit", "3"], "max_concurrent_runs", "must be 2", "--limit: must be 2"],
  [
    ["group", "add", "x", "--env", "BELFRY_SOCKET"],
    "environment.BELFRY_SOCKET",
    "environment.BELFRY_SOCKET must be",
    "--env BELFRY_SOCKET must be",
  ],
  [["group", "add", "x"], "member", "member is not a known member", "member is not a known member"],
  [
    ["task", "edit", taskId, "--label", "a b=c"],
    "labels.a b",
    '"labels.a b" must consist of letters',
    "--label a b must consist of letters",
  ],
  [
    ["group", "add", "x", "--parent", groupId],
    "parent_id",
    "parent_id must be an id such as grp_7Kq2mXv0Rz9tYb4LwNcD or null",
    "--parent must be an id such as grp_7Kq2mXv0Rz9tYb4LwNcD or null",
  ],
  [
    ["trigger-set", "add", "x", "--task", taskId, "--count", "3"],
    "count",
    "count is required unless member_names is given",
    "--count is required unless --member is given",
  ],
  [
    ["task", "edit", taskId, "--on-conflict", "skip"],
    "concurrency.on_conflict",
    "concurrency.on_conflict must be one of queue, skip",
    "--on-conflict must be one of queue, skip",
  ],
  [["task", "add", "x", "--", "y"], "tasks.0.name", "tasks.0.name must be", "name must be"],
  [["task", "add", "x", "--", "y"], "tasks.0.command", "is no command", "the command: is no command"],
  [["task", "add", "x", "--cron", "0", "--", "y"], "schedules.0.expression", "has 1 field", "--cron: has 1 field"],
  [
    ["task", "add", "x", "--retries", "3", "--", "y"],
    "tasks.0.retry.max_attempts",
    'is more than working_directory and kill_grace of "time_zone" allow',
    '--retries: is more than --cwd and --kill-grace of "time_zone" allow',
  ],
  [["schedule", "preview", "--cron", "0"], "draft.expression", "has 1 field", "--cron: has 1 field"],
  [
    ["schedule", "add", taskId, "--cron", "@every 5m"],
    "expression",
    '"@every 5m" is an interval; use `every: "5m"`',
    '--cron: "@every 5m" is an interval; use --every 5m',
  ],
  [
    ["schedule", "edit", scheduleId, "--cron", "TZ=UTC 0 3 * * *"],
    "expression",
    'use `time_zone: "UTC"` with `expression: "0 3 * * *"`',
    '--cron: use --tz UTC with --cron "0 3 * * *"',
  ],
  [["schedule", "add", taskId, "--cron", "@reboot"], "expression", 'use `kind: "boot"`', "--cron: use --boot"],
  [["schedule", "add", taskId, "--cron", "H * * * *"], "expression", "use `jitter`", "--cron: use --jitter"],
  [["group", "add", "x"], "name", 'use `jitter` or `every: "5m"`', 'name: use `jitter` or `every: "5m"`'],
];
test.each(faults)("belfry %j with an invalid %s uses the option name: %s", async (...fault) => {
  const [words, field, message, output] = fault;
  await using daemon = await standIn((incoming, outgoing) => {
    if (incoming.url === "/v1/manifest" && incoming.method === "GET") return answer(200, manifest)(incoming, outgoing);
    if (incoming.method === "GET")
      return answer(200, { id: groupId, kind: "cron", name: "g", misfire: { policy: "run_once" }, revision: 1 })(
        incoming,
        outgoing,
      );
    answer(400, { error: { code: "validation_failed", field, message } })(incoming, outgoing);
  });
  expect(await daemon.call(...words)).toEqual({ code: 2, stdout: "", stderr: `belfry: ${output}\n` });
});

test("a daemon that does not answer in time is unreachable", async () => {
  await using daemon = await standIn(() => {});
  const { code, stderr } = await daemon.call("manifest", "show", "--request-timeout", "50ms");
  expect([code, stderr]).toMatchObject([4, expect.stringContaining("--request-timeout")]);
});

const keyless: readonly (readonly [words: readonly string[], used: boolean | null, hint: string])[] = [
  [
    ["trigger", "add", "My CI", "--task", taskId],
    true,
    'Check the result with: belfry trigger list\nShow the key with: belfry trigger reveal "My CI"',
  ],
  [
    ["trigger", "rotate", "trg_00000000000000000000"],
    null,
    'Check before you try again, with: belfry trigger list, or belfry audit list\nShow the key with: belfry trigger reveal "trg_00000000000000000000"',
  ],
  [
    ["trigger-set", "add", "Agents", "--task", taskId, "--count", "2"],
    null,
    'Check before you try again, with: belfry trigger-set list, or belfry audit list\nShow the keys with: belfry trigger-set reveal "Agents"',
  ],
  [
    ["trigger-set", "rotate", "set_00000000000000000000"],
    null,
    'Check before you try again, with: belfry trigger-set list, or belfry audit list\nShow the keys with: belfry trigger-set reveal "set_00000000000000000000"',
  ],
];
test.each(keyless)(
  "after a lost response to belfry %j, the error says how to show the key",
  async (words, used, hint) => {
    let isLost = false;
    await using daemon = await standIn((incoming, outgoing) => {
      if (incoming.method === "POST") {
        isLost = true;
        return void incoming.resume().on("end", () => outgoing.destroy());
      }
      if (incoming.url === "/v1/manifest") return answer(200, manifest)(incoming, outgoing);
      if (!isLost) return answer(200, { id: taskId, name: "x", revision: 1 })(incoming, outgoing);
      if (used === null) return void outgoing.destroy();
      const operation = used ? "triggers.create" : null;
      answer(200, { used, operation, resource_id: null, at: null })(incoming, outgoing);
    });
    const { code, stderr } = await daemon.call(...words);
    expect([code, stderr.slice(stderr.indexOf("\n") + 1)]).toEqual([6, `${hint}\n`]);
  },
);

test("after a second a progress line appears, and it is erased at the end", async () => {
  await using dir = await tempDir();
  const socket = join(dir.path, "belfry.sock");
  let release = (): void => {};
  const server = createServer(
    (incoming, outgoing) =>
      (release = () => answer(200, { ...manifest, capabilities: [], platform: {} })(incoming, outgoing)),
  );
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const seen: string[] = [];
  const call = callBelfry(["manifest", "show", "--json"], {
    environment: { BELFRY_SOCKET: socket },
    columns: 80,
    onStderr: (text) => seen.push(text),
  });
  await until("the progress", () => seen.join("").includes("Waiting for the daemon"));
  release();
  expect((await call).code).toBe(0);
  expect(seen.at(-1)).toBe("\r\u001B[K");
  server.close();
});

const lost: readonly (readonly [what: string, used: boolean | null, exitCode: number, output: RegExp])[] = [
  ["took effect", true, 6, /response to tasks\.run was lost, but the change took effect\. Do not repeat the command/],
  ["did not take effect", false, 1, /nothing was changed\. It is safe to try again/],
  [
    "has an unknown result",
    null,
    6,
    /The change may or may not have taken effect\nCheck before you try again, with: belfry run list, or belfry audit list\n$/,
  ],
];
test.each(lost)(
  "a change whose response was lost is never repeated: if it %s, the error says so",
  async (_, used, exitCode, output) => {
    const posts: string[] = [];
    const task = { id: "tsk_00000000000000000000", name: "x" };
    await using daemon = await standIn((incoming, outgoing) => {
      const path = incoming.url ?? "";
      if (incoming.method === "POST") {
        posts.push(path);
        return void incoming.resume().on("end", () => outgoing.destroy());
      }
      if (path === "/v1/manifest") return answer(200, manifest)(incoming, outgoing);
      if (path.startsWith("/v1/tasks/")) return answer(200, task)(incoming, outgoing);
      if (used === null) return void outgoing.destroy();
      answer(200, {
        used,
        operation: used ? "tasks.run" : null,
        resource_id: used ? "run_00000000000000000000" : null,
        at: null,
      })(incoming, outgoing);
    });
    const { code, stdout, stderr } = await daemon.call("task", "run", task.id);
    expect({ code, stdout, posts }).toEqual({ code: exitCode, stdout: "", posts: [`/v1/tasks/${task.id}/run`] });
    expect(stderr).toMatch(output);
  },
);

import { tempDir } from "@belfry/test-kit";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../../server/tests/support/harness.ts";
import { AbortError, ConnectionError, isApiError, NotFoundError } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";
import { fakeDaemon } from "./fake-daemon.ts";

const shell = (script: string) => ({ kind: "shell", script }) as const;
const unknownRun = "run_4fzH1TqWb8YkV0c2LxNd";

test("wait returns the run when it has ended, after all its attempts", async () => {
  await using dir = await tempDir();
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const end = join(dir.path, "end");
  const task = await client.tasks.create({
    name: "Waits",
    command: shell(`until [ -e ${end} ]; do sleep 0.05; done; exit 3`),
    retry: { max_attempts: 2, delay: "0s" },
  });
  const { id } = await client.tasks.run(task.id);
  const waiting = client.runs.wait(id);
  expect((await client.runs.get(id)).ended_at).toBeNull();
  writeFileSync(end, "");
  expect(await waiting).toMatchObject({ id, state: "failed", attempt: 2, exit_code: 3 });
  // a run that has ended is returned at once
  expect(await client.runs.wait(id)).toMatchObject({ id, state: "failed" });
});

test("runAndWait returns the run that it requested, whether it succeeded or failed", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const good = await client.tasks.create({ name: "Good", command: shell("true") });
  const bad = await client.tasks.create({ name: "Bad", command: shell("exit 7") });
  expect(await client.tasks.runAndWait(good.id)).toMatchObject({ task_id: good.id, outcome: "success" });
  expect(await client.tasks.runAndWait(bad.id)).toMatchObject({ task_id: bad.id, outcome: "failure", exit_code: 7 });
});

test("an aborted wait throws, and the run continues", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Long", command: shell("sleep 600") });
  const run = await client.tasks.run(task.id);
  const abort = new AbortController();
  const waiting = client.runs.wait(run.id, { signal: abort.signal });
  abort.abort();
  await expect(waiting).rejects.toBeInstanceOf(AbortError);
  expect((await client.runs.get(run.id)).ended_at).toBeNull();
  await client.runs.cancel(run.id);
});

test("a run that does not exist, and a daemon that is not running, fail at once", async () => {
  await using dir = await tempDir();
  await using daemon = await startDaemon();
  await expect(connectLocal({ socketPath: daemon.socketPath }).runs.wait(unknownRun)).rejects.toBeInstanceOf(
    NotFoundError,
  );
  const nobody = connectLocal({ socketPath: join(dir.path, "belfry.sock"), retries: 0 });
  await expect(nobody.runs.wait(unknownRun)).rejects.toBeInstanceOf(ConnectionError);
});

test("wait reads the run after each connection, and goes on while the daemon restarts", async () => {
  const states = ["running", "running", "refused", "refused", "succeeded"];
  let streams = 0;
  await using daemon = await fakeDaemon(({ path }) => {
    if (path === "/manifest") return null;
    if (!path.startsWith("/events")) {
      const state = states.shift();
      if (state !== "refused") return { json: { id: unknownRun, state } };
      return { status: 503, json: { error: { code: "internal", field: null, message: "restarting" } } };
    }
    streams += 1;
    return (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`id: ${streams}-0\nevent: hello\ndata: {"epoch":"${streams}","capabilities":[]}\n\n`);
    };
  });
  const run = await daemon.connect({ retries: 0 }).runs.wait(unknownRun);
  expect(run.state).toBe("succeeded");
  expect(streams).toBe(2);
});

test("wait reads the run only after its own events", async () => {
  let reads = 0;
  const frame = (n: number, id: string) =>
    `id: a-${n}\nevent: run\ndata: ${JSON.stringify({ kind: "run", verb: "ended", id, task_id: "tsk_1" })}\n\n`;
  await using daemon = await fakeDaemon(({ path }) => {
    if (path === "/manifest") return null;
    if (!path.startsWith("/events")) {
      reads += 1;
      return { json: { id: unknownRun, state: reads < 3 ? "running" : "succeeded" } };
    }
    return (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`id: a-0\nevent: hello\ndata: {"epoch":"a","capabilities":[]}\n\n`);
      response.write([1, 2, 3].map((n) => frame(n, `run_${n}`)).join(""));
      response.write(frame(4, unknownRun));
    };
  });
  expect((await daemon.connect().runs.wait(unknownRun)).state).toBe("succeeded");
  // at the start, after the connection, and after its event
  expect(reads).toBe(3);
  expect(daemon.seen.filter(({ path }) => path.startsWith("/events"))).toHaveLength(1);
});

test("a run that is not created is not waited for", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const draft = await client.tasks.create({ name: "Draft" });
  const error = await client.tasks.runAndWait(draft.id).catch((thrown: unknown) => thrown);
  expect(isApiError(error, "conflict")).toBe(true);
});

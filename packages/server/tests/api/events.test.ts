import { Hint, limits } from "@belfry/contract";
import { inBatches, ManualClock, until } from "@belfry/test-kit";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { type Harness, type Json, startDaemon } from "../support/harness.ts";
import { fresh, makeGroup, makeQueuedRun, makeSchedule, makeTask } from "../support/api.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { openTestApplication } from "../support/application.ts";
import { openStream } from "../support/stream.ts";

const daemons = useDaemonProcess();

/** A group without the member that some readers of events may not see. */
function asInEvent({ environment_names: _hidden, ...group }: Json): Json {
  return group;
}

test("a stream begins with hello, and numbers its events from there without gaps, in an epoch of this start", async () => {
  await using daemon = await startDaemon();
  await using stream = await openStream(daemon.socketPath, "/v1/events");
  const hello = await stream.next();
  expect(hello.event).toBe("hello");
  expect(hello.data).toEqual({
    epoch: expect.stringMatching(/^\w+$/),
    capabilities: expect.arrayContaining(["events"]),
  });
  const { epoch } = hello.data as { epoch: string };
  expect(hello.id).toBe(`${epoch}-0`);
  for (let count = 1; count <= 5; count++) {
    const group = await makeGroup(daemon);
    const { event, id, data } = await stream.next();
    expect({ event, id }).toEqual({ event: "group", id: `${epoch}-${count}` });
    expect(data).toEqual({ kind: "group", verb: "created", id: group.id, group: asInEvent(group) });
  }
});

test("each change is published once, with the current resource, and every event fits the contract", async () => {
  await using daemon = await startDaemon();
  await using stream = await openStream(daemon.socketPath, "/v1/events");
  const { id: groupId } = await makeGroup(daemon);
  const { id: taskId } = await makeTask(daemon, { group_id: groupId });
  const schedule = await daemon.call("POST", "/v1/schedules", {
    task_id: taskId,
    kind: "cron",
    expression: "0 3 1 1 *",
  });
  const { id: targetId } = await makeTask(daemon);
  const link = { source_task_id: taskId, target_task_id: targetId, on_outcome: "success" };
  const chain = await daemon.call("POST", "/v1/chains", link);
  expect((await daemon.call("POST", "/v1/chains", link)).status).toBe(400);
  const changed = await daemon.call("PATCH", `/v1/chains/${chain.json.id}`, { delay: "5m" });
  await daemon.call("PATCH", `/v1/chains/${chain.json.id}`, { delay: "300s" });
  await daemon.call("PATCH", `/v1/tasks/${taskId}`, { priority: 3 });
  await daemon.call("PATCH", `/v1/tasks/${taskId}`, { priority: 3 });
  await daemon.call("POST", `/v1/groups/${groupId}/disable`);
  await daemon.call("PATCH", "/v1/manifest", { display_name: "Told" });
  await daemon.call("DELETE", `/v1/schedules/${schedule.json.id}`);
  await daemon.call("DELETE", `/v1/tasks/${taskId}`);
  await daemon.call("DELETE", `/v1/groups/${groupId}`);
  const last = () => stream.frames.at(-1)?.data as { kind?: string; verb?: string } | undefined;
  await stream.until("the last event", () => last()?.kind === "group" && last()?.verb === "deleted");
  expect(stream.frames.map(({ event, data }) => [event, data.verb])).toEqual([
    ["hello", undefined],
    ["group", "created"],
    ["task", "created"],
    ["schedule", "created"],
    ["task", "created"],
    ["chain", "created"],
    ["chain", "updated"],
    ["task", "updated"],
    ["group", "updated"],
    ["manifest", "updated"],
    ["schedule", "deleted"],
    ["task", "deleted"],
    ["chain", "deleted"],
    ["group", "deleted"],
  ]);
  const chainHints = stream.frames.filter(({ event }) => event === "chain").map(({ data }) => data);
  expect(chainHints).toEqual([
    { kind: "chain", verb: "created", id: chain.json.id, chain: chain.json },
    { kind: "chain", verb: "updated", id: chain.json.id, chain: changed.json },
    { kind: "chain", verb: "deleted", id: chain.json.id },
  ]);
  for (const { data } of stream.frames.slice(1)) expect(Hint.parse(data)).toEqual(data);
});

test("no event contains a task's command, directory or input", async () => {
  await using daemon = await startDaemon();
  await using stream = await openStream(daemon.socketPath, "/v1/events");
  const marked = {
    command: { kind: "exec", program: "/bin/marked-program", arguments: ["marked-argument"] },
    working_directory: "/marked/directory",
    environment: { TOKEN: "marked-value" },
    standard_input: "marked-input",
  };
  const task = await makeTask(daemon, marked);
  await daemon.call("PATCH", `/v1/tasks/${task.id}`, { command: { kind: "shell", script: "marked-script" } });
  await daemon.call("POST", `/v1/tasks/${task.id}/disable`);
  await stream.until("the events", () => stream.frames.length >= 4);
  expect(stream.frames.map(({ event }) => event)).toEqual(["hello", "task", "task", "task"]);
  expect(JSON.stringify(stream.frames)).not.toContain("marked");
});

test("kinds select the events, and the numbers have no gap", async () => {
  await using daemon = await startDaemon();
  await using stream = await openStream(daemon.socketPath, "/v1/events?kinds=task,%20manifest");
  await makeSchedule(daemon);
  await makeGroup(daemon);
  await daemon.call("PATCH", "/v1/manifest", { display_name: "Chosen" });
  await stream.until("the manifest's event", () => stream.frames.at(-1)?.event === "manifest");
  expect(stream.frames.map(({ event, id }) => [event, id?.split("-")[1]])).toEqual([
    ["hello", "0"],
    ["task", "1"],
    ["manifest", "2"],
  ]);
});

test("an unknown kind is refused by name", async () => {
  await using daemon = await startDaemon();
  for (const kinds of ["tasks", "task,nothing", "", "task,", "%20"]) {
    const answer = await daemon.call("GET", `/v1/events?kinds=${kinds}`);
    expect([answer.status, answer.json.error.code, answer.json.error.field]).toEqual([
      400,
      "validation_failed",
      "kinds",
    ]);
  }
});

test("calls that are refused, rehearsed, replayed or without effect publish no event", async () => {
  await using daemon = await startDaemon();
  const group = await makeGroup(daemon);
  const key = { "Idempotency-Key": fresh("key") };
  const body = { name: fresh("keyed") };
  await daemon.call("POST", "/v1/groups", body, key);
  await using stream = await openStream(daemon.socketPath, "/v1/events");
  await stream.next();
  expect((await daemon.call("POST", "/v1/groups", { name: group.name })).status).toBe(400);
  expect((await daemon.call("PATCH", `/v1/groups/${group.id}`, { enabled: false }, { "If-Match": '"9"' })).status).toBe(
    412,
  );
  expect(
    (
      await daemon.call("POST", "/v1/import", {
        groups: [
          { key: "a", name: "new" },
          { key: "b", name: group.name },
        ],
      })
    ).status,
  ).toBe(400);
  expect((await daemon.call("POST", "/v1/import", { dry_run: true, groups: [{ key: "a", name: "new" }] })).status).toBe(
    200,
  );
  expect((await daemon.call("POST", "/v1/groups", body, key)).headers["idempotent-replay"]).toBe("true");
  expect((await daemon.call("POST", `/v1/groups/${group.id}/enable`)).status).toBe(200);
  const created = await makeGroup(daemon);
  expect(await stream.next()).toMatchObject({ event: "group", data: { verb: "created", id: created.id } });
});

test("an event follows its commit: a reader finds the change immediately", async () => {
  await using daemon = await startDaemon();
  await using stream = await openStream(daemon.socketPath, "/v1/events?kinds=group");
  await stream.next();
  const names = Array.from({ length: 20 }, () => fresh("group"));
  const making = Promise.all(names.map((name) => daemon.call("POST", "/v1/groups", { name })));
  for (let count = 0; count < names.length; count++) {
    const { data } = await stream.next();
    expect(asInEvent((await daemon.call("GET", `/v1/groups/${data.id}`)).json)).toEqual(data.group);
  }
  await making;
});

test("a quiet stream gets a heartbeat every 15 seconds", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  await using stream = await openStream(daemon.socketPath, "/v1/events");
  await stream.next();
  for (const count of [1, 2, 3]) {
    await clock.advance(14_999);
    expect(stream.comments()).toBe(count - 1);
    await clock.advance(1);
    await stream.until("a comment", () => stream.comments() === count);
  }
  await makeGroup(daemon);
  expect((await stream.next()).event).toBe("group");
});

test("200 readers that connect and disconnect leave none behind", async () => {
  await using daemon = await daemons.start();
  const openFiles = async () => (await readdir(`/proc/${daemon.pid}/fd`)).length;
  await daemon.call("GET", "/v1/health");
  const before = await openFiles();
  for (let round = 0; round < 10; round++) {
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(daemon.socketPath, "/v1/events")));
    for (const stream of streams) stream.close();
  }
  await until("the readers' files to be closed", async () => (await openFiles()) <= before + 1);
  expect((await daemon.call("GET", "/v1/health")).status).toBe(200);
});

/** Opens a stream and reads nothing, so that the data of the daemon stays in the buffers. */
async function stall(socketPath: string, path: string) {
  const socket = connect(socketPath).pause();
  let isClosed = false;
  socket.on("error", () => {}).on("close", () => (isClosed = true));
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return { isClosed: () => isClosed, read: () => socket.resume(), socket };
}

/** A group with long events, of at most 60 kB: JSON writes each character of its description with six bytes. */
function makeLongGroup(daemon: Pick<Harness, "call" | "dataDir">, bytes: number): Promise<Json> {
  return makeGroup(daemon, { description: "\u0001".repeat(bytes / 6) });
}

async function churn(daemon: Pick<Harness, "call">, group: Json, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    const answer = await daemon.call("PATCH", `/v1/groups/${group.id}`, { enabled: count % 2 === 1 });
    expect(answer.status).toBe(200);
  }
}

test("a slow reader gets a resync and is disconnected; the others miss nothing", async () => {
  // nobody is disconnected for the time that the changes take
  await using daemon = await startDaemon({ clock: new ManualClock() });
  const group = await makeLongGroup(daemon, 18_000);
  await using prompt = await openStream(daemon.socketPath, "/v1/events?kinds=group");
  const slow = await stall(daemon.socketPath, "/v1/events?kinds=group");
  let received = "";
  slow.socket
    .setEncoding("utf8")
    .on("data", (part: string) => (received += part))
    .pause();
  await churn(daemon, group, 400);
  slow.read();
  await until("the slow reader's end", () => slow.isClosed());
  expect(received).toContain("event: resync");
  expect(received.indexOf("event: resync")).toBeGreaterThan(received.lastIndexOf("event: group"));
  const numbers = [...received.matchAll(/^id: \w+-(\d+)$/gm)].map((match) => Number(match[1]));
  expect(numbers).toEqual(numbers.map((_, index) => index));
  await prompt.until("all events at the prompt reader", () => prompt.frames.length >= 401);
  expect(prompt.frames.filter(({ event }) => event === "resync")).toEqual([]);
  expect(prompt.frames.map(({ id }) => Number(id!.split("-")[1]))).toEqual(prompt.frames.map((_, index) => index));
});

test("a burst of 3,000 changes reaches a prompt reader completely, and a reader of another kind not at all", async () => {
  await using daemon = await startDaemon();
  await using prompt = await openStream(daemon.socketPath, "/v1/events?kinds=task");
  await using other = await openStream(daemon.socketPath, "/v1/events?kinds=chain");
  const tasks = Array.from({ length: 3_000 }, (_, index) => ({ key: `t${index}`, name: `burst ${index}` }));
  const files = inBatches(tasks, limits.importItemsMax);
  // sent concurrently: several may share a commit, in any order
  const answers = await Promise.all(files.map((file) => daemon.call("POST", "/v1/import", { tasks: file })));
  expect(answers.map(({ status }) => status)).toEqual(files.map(() => 201));
  await prompt.until("every event", () => prompt.frames.length >= 3_001);
  const names: string[] = prompt.frames.slice(1).map(({ data }) => data.task.name);
  const arrived = inBatches(names, limits.importItemsMax);
  const sent = files.map((file) => file.map(({ name }) => name));
  const placeOf = (file: readonly string[]): number => sent.findIndex(([name]) => name === file[0]);
  expect(arrived.toSorted((a, b) => placeOf(a) - placeOf(b))).toEqual(sent);
  expect(other.frames.map(({ event }) => event)).toEqual(["hello"]);
});

test("a reader that reads nothing is disconnected within 30 seconds, and the daemon keeps running", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const group = await makeLongGroup(daemon, 48_000);
  const slow = await stall(daemon.socketPath, "/v1/events");
  await churn(daemon, group, 20);
  await clock.advance(30_000);
  slow.read();
  await until("the end of the connection", () => slow.isClosed());
  expect((await daemon.call("GET", "/v1/health")).status).toBe(200);
});

test("ten stalled readers of events of 60 kB cost less than 5 MB each, and are disconnected", async () => {
  await using daemon = await daemons.start();
  const mebibyte = 1024 * 1024;
  const rssBytes = async () =>
    Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${daemon.pid}/status`, "utf8"))![1]) * 1024;
  const openFiles = async () => (await readdir(`/proc/${daemon.pid}/fd`)).length;
  const group = await makeLongGroup(daemon, 60_000);
  {
    // the cost of the work itself, with readers that read their events
    const prompt = await Promise.all(Array.from({ length: 10 }, () => openStream(daemon.socketPath, "/v1/events")));
    await churn(daemon, group, 700);
    for (const stream of prompt) stream.close();
  }
  await daemon.call("GET", "/v1/health");
  const [rssBefore, filesBefore] = [await rssBytes(), await openFiles()];
  const slow = await Promise.all(Array.from({ length: 10 }, () => stall(daemon.socketPath, "/v1/events")));
  await churn(daemon, group, 700);
  const cost = ((await rssBytes()) - rssBefore) / 10;
  await until("the readers to be dropped", async () => (await openFiles()) <= filesBefore + 1);
  console.log(`events: a stalled reader cost ${(cost / mebibyte).toFixed(1)} MB`);
  expect(cost).toBeLessThan(5 * mebibyte);
  for (const { socket } of slow) socket.destroy();
});

test("a HEAD of the stream leaves no reader behind", async () => {
  await using app = await openTestApplication();
  const answer = await app.call("HEAD", "/v1/events");
  expect([answer.status, answer.headers["content-type"], app.hub.size]).toEqual([200, "text/event-stream", 0]);
});

test("a stop ends the streams without waiting for readers", async () => {
  await using daemon = await startDaemon();
  const streams = await Promise.all(Array.from({ length: 50 }, () => openStream(daemon.socketPath, "/v1/events")));
  const slow = await stall(daemon.socketPath, "/v1/events");
  await daemon.stop();
  await Promise.all(streams.map((stream) => stream.untilEnd()));
  slow.read();
  await until("the end of the slow reader", () => slow.isClosed());
  await expect(daemon.call("GET", "/v1/health")).rejects.toThrow();
});

test("a resource changed and deleted in one commit publishes only the deletion", async () => {
  await using app = await openTestApplication();
  const published: Json[] = [];
  app.hub.subscribe(new Set(["group"]), {
    write: (frames) => {
      for (const frame of frames)
        if ("shared" in frame) published.push(JSON.parse(/^data: (.*)$/m.exec(String(frame.shared))![1]!));
      return true;
    },
    end: () => {},
  });
  const group = await makeGroup(app);
  const [changed, deleted] = await Promise.all([
    app.call("PATCH", `/v1/groups/${group.id}`, { name: "renamed" }),
    app.call("DELETE", `/v1/groups/${group.id}`),
  ]);
  expect([changed.status, deleted.status]).toEqual([200, 204]);
  await until("the deletion", () => published.at(-1)?.verb === "deleted");
  expect(published.map(({ verb }) => verb)).toEqual(["created", "deleted"]);
});

test("a run publishes events from the queue to its end", async () => {
  await using daemon = await startDaemon();
  await using stream = await openStream(daemon.socketPath, "/v1/events?kinds=run");
  const run = await makeQueuedRun(daemon);
  await daemon.call("POST", `/v1/runs/${run.id}/cancel`);
  await stream.next();
  expect((await stream.next()).data).toEqual({
    kind: "run",
    verb: "queued",
    id: run.id,
    task_id: run.task_id,
    state: "queued",
    outcome: null,
    attempt: 0,
  });
  expect((await stream.next()).data).toMatchObject({
    kind: "run",
    verb: "ended",
    id: run.id,
    state: "cancelled",
    outcome: null,
  });
});

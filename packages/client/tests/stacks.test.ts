import { tempDir, until } from "@belfry/test-kit";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { Client } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";
import { errorReply, fakeDaemon, type Respond } from "./fake-daemon.ts";

const id = "tsk_4fzH1TqWb8YkV0c2LxNd";

/** A stream in which nothing comes. */
const hang: Respond = (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
};

/** Each call is made in a function of its own, whose name the stack must begin with. */
const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  readsOne: function readsOne(client) {
    return client.tasks.get(id);
  },
  changes: function changes(client) {
    return client.tasks.create({ name: "Nightly" });
  },
  listsAll: async function listsAll(client) {
    for await (const task of client.tasks.list()) return task;
    return null;
  },
  readsOutput: async function readsOutput(client) {
    for await (const item of client.runs.output(id, { attempt: 1 })) return item;
    return null;
  },
  waits: function waits(client) {
    return client.runs.wait(id);
  },
  runsAndWaits: function runsAndWaits(client) {
    return client.tasks.runAndWait(id);
  },
  finds: function finds(client) {
    return client.tasks.find("Nightly");
  },
  exports: async function exports(client) {
    for await (const event of client.audit.export()) return event;
    return null;
  },
};

test.each(Object.entries(calls))(
  "the stack of a call that is refused begins where it was made: %s",
  async (name, call) => {
    await using daemon = await fakeDaemon(({ path }) => (path === "/manifest" ? null : errorReply("not_found", 404)));
    const error = await call(daemon.connect()).catch((thrown: unknown) => thrown);
    expectStack(error, "NotFoundError: refused with not_found", name);
  },
);

test.each(Object.entries(calls))(
  "the stack of a call without a daemon begins where it was made: %s",
  async (name, call) => {
    await using dir = await tempDir();
    const socketPath = join(dir.path, "belfry.sock");
    const error = await call(connectLocal({ socketPath, retries: 0 })).catch((thrown: unknown) => thrown);
    expectStack(error, `ConnectionError: The daemon is not running (no socket at ${socketPath}).`, name);
  },
);

test("the stack of an error about an argument begins where it was given", async () => {
  await using daemon = await fakeDaemon(() => null);
  const client = daemon.connect();
  const error = await (async function getsNothing() {
    return client.tasks.get("");
  })().catch((thrown: unknown) => thrown);
  expectStack(error, 'TypeError: "" is not a valid id', "getsNothing");
  const waited = await (async function waitsForNothing() {
    return client.runs.wait("");
  })().catch((thrown: unknown) => thrown);
  expectStack(waited, 'TypeError: "" is not a valid id', "waitsForNothing");
});

test("the stack of a name that is ambiguous begins where it was looked up", async () => {
  const task = { id, name: "Nightly", group_name: null };
  await using daemon = await fakeDaemon(() => ({
    json: { tasks: [task, { ...task, group_name: "b" }], next_cursor: null },
  }));
  const client = daemon.connect();
  const error = await (async function looksUp() {
    return client.tasks.find("Nightly");
  })().catch((thrown: unknown) => thrown);
  expectStack(error, "BelfryError: The name is ambiguous", "looksUp");
});

test("the stack of a wait that is aborted begins where it was begun", async () => {
  const run = { id: "run_1", state: "running", attempt: 1 };
  await using daemon = await fakeDaemon(({ path }) =>
    path.startsWith("/runs/run_1/") || path.startsWith("/events") ? hang : { json: run },
  );
  const client = daemon.connect();
  const end = new AbortController();
  const waiting = (async function waitsLong() {
    return client.runs.wait("run_1", { signal: end.signal });
  })().catch((thrown: unknown) => thrown);
  const reading = (async function readsLong() {
    for await (const line of client.runs.outputLines("run_1", {}, { signal: end.signal })) return line;
    return null;
  })().catch((thrown: unknown) => thrown);
  await until(
    "both wait",
    () => daemon.seen.filter(({ path }) => path.startsWith("/events") || path.includes("/output")).length === 2,
  );
  end.abort();
  expectStack(await waiting, "AbortError", "waitsLong");
  expectStack(await reading, "AbortError", "readsLong");
});

function expectStack(error: unknown, header: string, name: string): void {
  const [first = "", second = ""] = String((error as Error).stack).split("\n");
  expect(first).toContain(header);
  expect(second).toContain(basename(import.meta.filename));
  expect(second).toContain(name);
}

import { tempDir } from "@belfry/test-kit";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { Client } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";
import { errorReply, fakeDaemon } from "./fake-daemon.ts";

const id = "tsk_4fzH1TqWb8YkV0c2LxNd";

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

function expectStack(error: unknown, header: string, name: string): void {
  const [first = "", second = ""] = String((error as Error).stack).split("\n");
  expect(first).toContain(header);
  expect(second).toContain(basename(import.meta.filename));
  expect(second).toContain(name);
}

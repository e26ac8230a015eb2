import { seed, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "../../server/tests/support/harness.ts";
import { seeded } from "../../server/tests/support/seeded.ts";
import { type Client, isApiError } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";
import { cuttable } from "./cuttable.ts";

const cuts = 30;
const changesACut = 10;

test(`a client has the daemon's state again after each of ${cuts} broken streams (seed ${seed})`, async () => {
  const random = seeded(seed);
  await using daemon = await startDaemon();
  await using line = await cuttable(daemon.socketPath);
  const writer = connectLocal({ socketPath: daemon.socketPath });
  const mirror = startMirror(connectLocal({ socketPath: line.socketPath, delayMs: () => 1 + 20 * random() }));
  await until("the stream has begun", () => mirror.refreshes() === 1);

  const tasks: string[] = [];
  const chains: string[] = [];
  const change = async (): Promise<void> => {
    const choose = (all: readonly string[]): string => all[Math.floor(random() * all.length)] ?? "none";
    if (tasks.length < 4 || random() < 0.3) {
      tasks.push((await writer.tasks.create({ name: `task ${tasks.length}` })).id);
    } else if (chains.length < 4 || random() < 0.5) {
      const chain = { source_task_id: choose(tasks), target_task_id: choose(tasks), on_outcome: "any" } as const;
      chains.push((await writer.chains.create(chain)).id);
    } else if (random() < 0.6) {
      await writer.chains.update(choose(chains), { delay: `${Math.floor(100 * random())}s` });
    } else {
      await writer.chains.delete(chains.splice(Math.floor(random() * chains.length), 1)[0]!);
    }
  };
  let committed = 0;
  for (let cut = 0; cut < cuts; cut++) {
    const cutAt = Math.floor(random() * changesACut);
    for (let count = 0; count < changesACut; count++) {
      if (count === cutAt) line.cut();
      // the daemon rejects a chain that closes a cycle
      await change().then(
        () => committed++,
        (error: unknown) => expect(isApiError(error, "validation_failed")).toBe(true),
      );
    }
    const expected = await readAll(writer);
    await until(`the state after cut ${cut}`, () => JSON.stringify(mirror.state()) === JSON.stringify(expected));
  }
  await mirror.stop();
  console.log(`reconnect: ${committed} changes, ${mirror.hints()} hints, ${mirror.refreshes()} refreshes`);
  expect(mirror.refreshes()).toBeGreaterThan(cuts / 2);
  expect(mirror.hints(), "some were missed, and it did not matter").toBeLessThan(committed);
});

/** Every task and chain by its id, in a fixed order. */
async function readAll(client: Client): Promise<readonly (readonly [string, object])[]> {
  const [tasks, { chains }] = [client.tasks.list({ limit: 1000 }), await client.chains.list()];
  const all: (readonly [string, object])[] = chains.map((chain) => [chain.id, chain]);
  for await (const task of tasks) all.push([task.id, task]);
  return sorted(all);
}

function sorted<T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What a desktop client does: reloads everything after `resync`, and one resource after each event. */
function startMirror(client: Client) {
  const controller = new AbortController();
  let held = new Map<string, object>();
  let refreshes = 0;
  let hints = 0;
  const run = async (): Promise<void> => {
    for await (const hint of client.events.subscribe({ kinds: ["task", "chain"], signal: controller.signal })) {
      await retryRead(async () => {
        if (hint.kind === "resync") held = new Map(await readAll(client));
        else if (hint.kind === "chain") await reread(hint.id, () => client.chains.get(hint.id));
        else await reread(hint.id, () => client.tasks.get(hint.id));
      });
      if (hint.kind === "resync") refreshes++;
      else hints++;
    }
  };
  /** Repeats a read until its connection does not break. */
  const retryRead = async (read: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (isApiError(error)) throw error;
      }
    }
  };
  const reread = async (id: string, read: () => PromiseLike<object>): Promise<void> => {
    try {
      held.set(id, await read());
    } catch (error) {
      if (!isApiError(error, "not_found")) throw error;
      held.delete(id);
    }
  };
  const running = run();
  return {
    state: () => sorted([...held]),
    refreshes: () => refreshes,
    hints: () => hints,
    stop: async () => {
      controller.abort();
      await running;
    },
  };
}

import { inBatches, seed, tempDir, until } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../../server/tests/support/harness.ts";
import { startReceiver } from "../../server/tests/support/receiver.ts";
import { seeded } from "../../server/tests/support/seeded.ts";
import { type Client, isApiError, type LiveList, type Watchable, type WatchQuery } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";
import { cuttable } from "./cuttable.ts";

const shell = (script: string) => ({ kind: "shell", script }) as const;
const at = <T>(list: LiveList<T>) => list.getSnapshot();
const isLive = (list: LiveList<unknown>) => at(list).state.kind === "live";

/** Counts the requests of a client besides its streams. */
function counted(socketPath: string) {
  const requests: string[] = [];
  const note = ({ request }: { readonly request: Request }) => {
    const { pathname, search } = new URL(request.url);
    requests.push(`${pathname.replace("/v1", "")}${search}`);
  };
  const client = connectLocal({ socketPath, delayMs: () => 5, hooks: { beforeRequest: [note] } });
  const streams = () => requests.filter((path) => path.startsWith("/events")).length;
  return { client, requests, streams, reads: () => requests.length - streams() };
}

test("a list is read after the stream has begun, and then follows each change", async () => {
  await using daemon = await startDaemon();
  const writer = connectLocal({ socketPath: daemon.socketPath });
  const old = await writer.tasks.create({ name: "old", command: shell("true") });
  const { client, requests } = counted(daemon.socketPath);
  await using list = client.watch("tasks", {}, { pauseMs: 0 });
  expect(at(list)).toEqual({ items: [], hasMore: false, state: { kind: "loading" } });
  await until("the list is live", () => isLive(list));
  expect(requests).toEqual(["/events", "/tasks?limit=1000"]);
  expect(at(list).items).toEqual([old]);

  const fresh = await writer.tasks.create({ name: "fresh" });
  await until("the new task is first", () => at(list).items[0]?.id === fresh.id);
  await writer.tasks.update(old.id, { name: "renamed" });
  await until("the new name", () => at(list).items[1]?.name === "renamed");
  await writer.tasks.runAndWait(old.id);
  await until("the last run of the task", () => at(list).items[1]?.last_run?.state === "succeeded");
  await writer.tasks.delete(fresh.id);
  await until("the task is gone", () => at(list).items.length === 1);
  expect(requests.filter((path) => path.startsWith("/tasks?"))).toHaveLength(1);
});

test("a snapshot is the same object until something changes, and so is each item", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const [one, two] = [await client.tasks.create({ name: "one" }), await client.tasks.create({ name: "two" })];
  await using list = client.watch("tasks", {}, { pauseMs: 0 });
  await until("the list is live", () => isLive(list));
  let calls = 0;
  const stop = list.subscribe(() => calls++);
  const before = at(list);
  await list.refresh();
  expect(at(list)).toBe(before);
  expect(calls).toBe(0);
  await client.tasks.update(one.id, { description: "changed" });
  await until("the change", () => at(list).items[1]?.description === "changed");
  expect(at(list).items[0]).toBe(before.items[0]);
  expect(before.items.map(({ id }) => id)).toEqual([two.id, one.id]);
  expect(before.items[1]?.description).toBeNull();
  expect(calls).toBe(1);
  stop();
  await client.tasks.update(one.id, { description: "again" });
  await until("the next change", () => at(list).items[1]?.description === "again");
  expect(calls).toBe(1);
});

test("runs: the newest ones are kept, and older ones are not read", async () => {
  await using daemon = await startDaemon();
  const writer = connectLocal({ socketPath: daemon.socketPath });
  const task = await writer.tasks.create({ name: "Often", command: shell("true") });
  const other = await writer.tasks.create({ name: "Other", command: shell("true") });
  for (let count = 0; count < 4; count++) await writer.tasks.runAndWait(task.id);
  const { client, requests } = counted(daemon.socketPath);
  await using list = client.watch("runs", { task_id: task.id, limit: 3 }, { pauseMs: 0 });
  await until("the list is live", () => isLive(list));
  expect(at(list)).toMatchObject({ hasMore: true, items: [{}, {}, {}] });
  const run = await writer.tasks.runAndWait(task.id);
  await until("the end of the new run", () => at(list).items[0]?.ended_at === run.ended_at);
  const { runs } = await writer.runs.list({ task_id: task.id, limit: 3 });
  expect(at(list).items).toEqual(runs);
  await writer.tasks.runAndWait(other.id);
  const next = await writer.tasks.runAndWait(task.id);
  await until("the end of the next run", () => at(list).items[0]?.ended_at === next.ended_at);
  // neither the run of the other task nor the list was read
  expect(new Set(requests.slice(2))).toEqual(new Set([`/runs/${run.id}`, `/runs/${next.id}`]));
});

test("a burst of events leads to few requests, and all lists share one stream", async () => {
  await using daemon = await startDaemon();
  const writer = connectLocal({ socketPath: daemon.socketPath });
  const { client, reads, streams } = counted(daemon.socketPath);
  const startMs = performance.now();
  await using tasks = client.watch("tasks");
  await using schedules = client.watch("schedules");
  await using groups = client.watch("groups");
  await until("the lists are live", () => isLive(tasks) && isLive(schedules) && isLive(groups));
  for (const part of ["a", "b"]) {
    const keys = Array.from({ length: 500 }, (_, index) => `${part}${index}`);
    await writer.import.create({
      tasks: keys.map((key) => ({ key, name: key, command: shell("true") })),
      schedules: keys.map((key) => ({ key: `s${key}`, task_key: key, kind: "interval", every: "1d" }) as const),
    });
  }
  const size = (list: LiveList<unknown>) => at(list).items.length;
  await until("everything is there", () => size(tasks) === 1_000 && size(schedules) === 1_000);
  for (const batch of inBatches(at(tasks).items, 50))
    await Promise.all(batch.map(({ id }) => writer.tasks.disable(id)));
  await until("every task is disabled", () => at(tasks).items.every(({ enabled }) => !enabled));
  const pauses = (performance.now() - startMs) / 500;
  console.log(`watch: ${reads()} reads for 3,000 events, in ${Math.round(pauses)} pauses`);
  // in each pause, a list is read once, or at most four of its items
  expect(reads()).toBeLessThanOrEqual(3 * 4 * (pauses + 1));
  expect(streams()).toBe(1);
});

test("the list is stale while the daemon is gone, keeps its items, and is read again when it is back", async () => {
  await using dir = await tempDir("bf-");
  await using first = await startDaemon({ dataDir: dir.path });
  const client = connectLocal({ socketPath: first.socketPath, retries: 0, delayMs: () => 20 });
  const task = await client.tasks.create({ name: "before" });
  await using list = client.watch("tasks");
  await until("the list is live", () => isLive(list));
  const { items } = at(list);
  const stoppedAt = new Date();
  await first[Symbol.asyncDispose]();
  const stale = await until("the list is stale", () => (at(list).state.kind === "stale" ? at(list) : null));
  if (stale.state.kind !== "stale") throw new Error("unreachable");
  expect(stale.items).toBe(items);
  expect(stale.state.since?.getTime()).toBeGreaterThanOrEqual(stoppedAt.getTime());
  const { since } = stale.state;
  await expect(list.refresh()).rejects.toMatchObject({ name: "ConnectionError" });
  // the next tries do not change since when it is stale
  expect(at(list).state).toMatchObject({ kind: "stale", since });

  await using second = await startDaemon({ dataDir: dir.path });
  const writer = connectLocal({ socketPath: second.socketPath });
  await writer.tasks.update(task.id, { name: "after" });
  await until("the list is live again", () => isLive(list) && at(list).items[0]?.name === "after");
});

test("a daemon that is not running yet: the list waits for it", async () => {
  await using dir = await tempDir("bf-");
  const socketPath = join(dir.path, "belfry.sock");
  const client = connectLocal({ socketPath, retries: 0, delayMs: () => 20 });
  await using list = client.watch("groups");
  await until("the list is stale", () => at(list).state.kind === "stale");
  expect(at(list)).toMatchObject({ items: [], state: { since: null, error: { name: "ConnectionError" } } });
  await using daemon = await startDaemon({ dataDir: dir.path });
  expect(daemon.socketPath).toBe(socketPath);
  await until("the list is live", () => isLive(list));
});

const watched = [
  ["tasks", {}],
  ["tasks", { enabled: true }],
  ["tasks", { q: "task 1" }],
  ["tasks", { label: "team:a" }],
  ["tasks", { limit: 5 }],
  ["tasks", { recent: 3 }],
  ["tasks", { overdue: false }],
  ["tasks", { grouped: false }],
  ["groups", {}],
  ["holds", {}],
  ["schedules", {}],
  ["schedules", { label: "team:a" }],
  ["schedules", { enabled: false }],
  ["runs", { limit: 7 }],
  ["runs", { ended: true, limit: 6 }],
  ["runs", { outcome: "failure", limit: 5 }],
  ["runs", { active: true }],
  ["runs", { active: false, limit: 4 }],
  ["runs", { state: "succeeded", limit: 5 }],
  ["triggers", {}],
  ["triggers", { enabled: true }],
  ["triggerSets", {}],
  ["watchers", {}],
  ["chains", {}],
  ["channels", {}],
  ["deliveries", { limit: 5 }],
  ["deliveries", { state: "succeeded", limit: 3 }],
  ["actors", {}],
] as const satisfies readonly { [W in Watchable]: readonly [W, WatchQuery<W>] }[Watchable][];
const cuts = 100;
const changesACut = 4;

test(`every list is the daemon's own after ${cuts} broken connections and random changes (seed ${seed})`, async () => {
  // the delays have numbers of their own, so that the changes are the same each time
  const [random, delays] = [seeded(seed), seeded(seed + 1)];
  await using receiver = await startReceiver();
  await using daemon = await startDaemon();
  await using line = await cuttable(daemon.socketPath);
  const writer = connectLocal({ socketPath: daemon.socketPath });
  const watching = connectLocal({ socketPath: line.socketPath, delayMs: () => 1 + 20 * delays() });
  const lists = watched.map(([what, query]) => watching.watch(what, query, { pauseMs: 10 }) as LiveList<object>);
  const { change } = await startChanges(writer, { random, endpoint: receiver.url });
  let committed = 0;
  for (let cut = 0; cut < cuts; cut++) {
    const cutAt = Math.floor(random() * changesACut);
    for (let count = 0; count < changesACut; count++) {
      if (count === cutAt) line.cut();
      committed += await change();
    }
  }
  expect(committed).toBeGreaterThan((cuts * changesACut) / 2);
  await untilAlike(writer, lists, "after the last change");
  await Promise.all(lists.map((list) => list.close()));
});

test(`every list follows each kind of change by its events alone (seed ${seed})`, async () => {
  const random = seeded(seed);
  await using receiver = await startReceiver();
  await using daemon = await startDaemon();
  const writer = connectLocal({ socketPath: daemon.socketPath });
  const { client, streams } = counted(daemon.socketPath);
  const lists = watched.map(([what, query]) => client.watch(what, query, { pauseMs: 0 }) as LiveList<object>);
  await until("every list is live", () => lists.every(isLive));
  const { each } = await startChanges(writer, { random, endpoint: receiver.url });
  let committed = 0;
  for (let round = 1; round <= 4; round++) {
    for (const [index, make] of each.entries()) {
      committed += await make();
      await untilAlike(writer, lists, `after change ${index} of round ${round}`);
    }
  }
  expect(committed).toBeGreaterThan(2 * each.length);
  expect(streams()).toBe(1);
  await Promise.all(lists.map((list) => list.close()));
});

/** Waits until every list is the daemon's own. */
async function untilAlike(writer: Client, lists: readonly LiveList<object>[], when: string): Promise<void> {
  await until(`no run and no delivery is at work ${when}`, async () => {
    const [{ runs }, all] = [await writer.runs.list({ limit: 1000 }), await writer.notificationDeliveries.list()];
    return (
      // a run that a chain asked for stays queued while its group is held
      runs.every(({ state, ended_at }) => ended_at !== null || state === "queued") &&
      all.notification_deliveries.every(({ ended_at }) => ended_at !== null)
    );
  });
  const differences = async () => {
    const found: string[] = [];
    for (const [index, [what, query]] of watched.entries()) {
      const expected = await readAll(writer, what, query);
      const { items, state } = at(lists[index]!);
      if (state.kind !== "live" || textOf(items) !== textOf(expected))
        found.push(`${what} ${JSON.stringify(query)}: ${state.kind}, ${items.length} of ${expected.length}`);
    }
    return found;
  };
  await until(`no list differs ${when}`, async () => (await differences()).length === 0).catch(
    async (error: unknown) => {
      expect(await differences(), when).toEqual([]);
      throw error;
    },
  );
}

/** Without what changes without an event. */
function textOf(items: readonly object[]): string {
  return JSON.stringify(items, (name, value: unknown) => (name === "last_seen_at" ? undefined : value));
}

/** Reads a list as the daemon has it now. */
async function readAll(client: Client, what: Watchable, query: object): Promise<readonly object[]> {
  const names = { channels: "notificationChannels", deliveries: "notificationDeliveries" } as const;
  const api = client[what === "channels" || what === "deliveries" ? names[what] : what] as {
    readonly list: (query: object) => AsyncIterable<object> & PromiseLike<{ readonly next_cursor: string | null }>;
  };
  const page = await api.list({ limit: 1000, ...query });
  return (Object.values(page) as unknown[]).find(Array.isArray) as object[];
}

/** Prepares random changes. */
async function startChanges(
  client: Client,
  { random, endpoint }: { readonly random: () => number; readonly endpoint: string },
) {
  const choose = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const group = await client.groups.create({ name: "Group" });
  const channel = await client.notificationChannels.create({ name: "Channel", endpoint });
  await client.notificationAssignments.replaceOfGroup(group.id, {
    assignments: [{ channel_id: channel.id, on_success: true, on_failure: true }],
  });
  let made = 0;
  const tasks: string[] = [];
  const schedules: string[] = [];
  const triggers: string[] = [];
  const sets: string[] = [];
  const chains: string[] = [];
  const watchers: string[] = [];
  const actors: string[] = [];
  const name = (word: string) => `${word} ${++made}`;
  const bool = () => random() < 0.5;
  const take = (all: string[]) => all.splice(Math.floor(random() * all.length), 1)[0] ?? "none";
  const changes: readonly (() => Promise<unknown>)[] = [
    async () => {
      const labels = { team: choose(["a", "b"]) };
      const command = shell(choose(["true", "false", "exit 3"]));
      const { id } = await client.tasks.create({
        name: name("task"),
        command,
        labels,
        group_id: bool() ? group.id : null,
      });
      tasks.push(id);
    },
    () => client.tasks.update(choose(tasks), { name: name("task"), labels: { team: choose(["a", "b"]) } }),
    () => client.tasks.update(choose(tasks), { group_id: bool() ? group.id : null }),
    () => (bool() ? client.tasks.enable(choose(tasks)) : client.tasks.disable(choose(tasks))),
    () => (tasks.length > 6 ? client.tasks.delete(take(tasks)) : client.tasks.run(choose(tasks))),
    () => client.tasks.runAndWait(choose(tasks)),
    () => client.groups.update(group.id, { enabled: bool(), time_zone: choose(["Europe/Berlin", "Asia/Tokyo"]) }),
    () => client.groups.update(group.id, { name: name("Group") }),
    () => (bool() ? client.holds.place({ group_id: group.id }) : client.holds.release({ group_id: group.id })),
    async () => {
      const body = { task_id: choose(tasks), kind: "cron", expression: "0 3 * * *", name: name("schedule") } as const;
      schedules.push((await client.schedules.create(body)).id);
    },
    () => (bool() ? client.schedules.enable(choose(schedules)) : client.schedules.disable(choose(schedules))),
    () => client.schedules.delete(take(schedules)),
    async () => {
      const { trigger, key } = await client.triggers.create({ name: name("trigger"), target_task_id: choose(tasks) });
      triggers.push(trigger.id);
      await client.triggers.fire(key);
    },
    () => (bool() ? client.triggers.enable(choose(triggers)) : client.triggers.disable(choose(triggers))),
    () => client.triggers.delete(take(triggers)),
    async () => {
      const body = { name: name("set"), target_task_id: choose(tasks), count: 2 };
      const { trigger_set } = await client.triggerSets.create(body);
      sets.push(trigger_set.id);
      triggers.push(...trigger_set.members.map(({ id }) => id));
    },
    () => client.triggerSets.update(choose(sets), { name: name("set") }),
    () => (bool() ? client.triggerSets.enable(choose(sets)) : client.triggerSets.disable(choose(sets))),
    () => client.triggerSets.delete(take(sets)),
    async () => {
      const body = { source_task_id: choose(tasks), target_task_id: choose(tasks), on_outcome: "any" } as const;
      chains.push((await client.chains.create(body)).id);
    },
    () => client.chains.delete(take(chains)),
    async () => {
      const path = `/nonexistent/${++made}`;
      const body = { name: name("watcher"), kind: "file", path, target_task_id: choose(tasks) } as const;
      watchers.push((await client.watchers.create(body)).id);
    },
    () => (bool() ? client.watchers.enable(choose(watchers)) : client.watchers.disable(choose(watchers))),
    () => client.watchers.delete(take(watchers)),
    () => client.notificationChannels.update(channel.id, { name: name("Channel") }),
    () => client.notificationChannels.test(channel.id),
    async () => actors.push((await client.actors.create({ name: name("actor"), capability: "observe" })).id),
    () => client.actors.update(choose(actors), { state: bool() ? "active" : "disabled" }),
  ];
  const accepted = (make: () => Promise<unknown>) =>
    make().then(
      () => 1,
      (error: unknown) => {
        // nothing to change yet, a chain that closes a cycle, a task that cannot run
        if (!isApiError(error) && !(error instanceof TypeError)) throw error;
        return 0;
      },
    );
  return {
    /** Makes a random change. Returns how many were accepted: none or one. */
    change: () => accepted(choose(changes)),
    /** Each kind of change, once. */
    each: changes.map((make) => () => accepted(make)),
  };
}

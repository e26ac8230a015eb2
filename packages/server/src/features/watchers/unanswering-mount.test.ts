import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createLog } from "../../kernel/log/log.ts";
import { createObservers, type HostParts } from "./observers.ts";
import type { ToObserver } from "./observing/messages.ts";
import type { WatcherRow } from "./table.ts";
import { createWatching } from "./watching.ts";

const mount = "/net";
const row = { id: "wch_1", path: "/net/in", enabled: true, observation: 1, observedFrom: 0 } as WatcherRow;

interface Process {
  readonly parts: HostParts;
  readonly sent: ToObserver[];
  readonly exit: () => void;
  isKilled: boolean;
}

/** A watcher on a mount that does not answer: its processes say nothing, and end only when the test lets them. */
function setup() {
  const clock = new ManualClock();
  const rows = new Map([[row.id, row]]);
  const processes: Process[] = [];
  const healths: string[] = [];
  const openProcess = (parts: HostParts) => {
    const exited = Promise.withResolvers<void>();
    const process: Process = { parts, sent: [], exit: exited.resolve, isKilled: false };
    processes.push(process);
    return {
      send: (message: ToObserver) => void process.sent.push(message),
      stop: () => {
        process.isKilled = true;
        return exited.promise;
      },
    };
  };
  const watching = createWatching({
    clock,
    log: createLog(clock, "debug", []),
    store: { find: (id) => rows.get(id), listAll: () => [...rows.values()] },
    requests: {
      decide: () => ({ is: "nothing" }) as never,
      canStart: () => true,
      sharesLimit: () => false,
      mayReplaceStarted: () => false,
      request: () => true,
      removeFiles: () => {},
    },
    openObservers: (listener) =>
      createObservers({
        ...listener,
        clock,
        start: { folder: "/w", runsFolder: "/w/files", dataDir: "/", hashKey: new Uint8Array(32), filesMax: 10 },
        openThread: openProcess,
        openProcess,
      }),
    mountOf: () => mount,
    recover: () => {},
    onHealth: ({ id }, { health }) => void healths.push(`${id} ${health.state}`),
  });
  watching.loop.start();
  const put = (change: Partial<WatcherRow>): WatcherRow => {
    const next = { ...row, ...rows.get(change.id ?? row.id), ...change };
    rows.set(next.id, next);
    return next;
  };
  return {
    ...watching,
    clock,
    processes,
    healths,
    put,
    healthOf: (id = row.id) => watching.observationOf(rows.get(id)!).health,
  };
}

const silenceMs = 35_000;
const minuteMs = 60_000;

test("a process that cannot be ended is the only one of its mount, however long it takes, and health says why", async () => {
  const { clock, processes, healths, healthOf } = setup();
  await clock.advance(silenceMs);
  expect(processes.map(({ isKilled }) => isKilled)).toEqual([true]);
  const { reason } = healthOf();
  expect(reason).toContain("does not respond");
  await clock.advance(60 * minuteMs);
  expect(processes).toHaveLength(1);
  expect(healthOf()).toMatchObject({ state: "error", reason });

  processes[0]!.exit();
  await clock.advance(0);
  expect(processes).toHaveLength(2);
  expect(processes[1]!.sent).toMatchObject([{ is: "observe", watcherId: row.id }]);
  processes[1]!.parts.onMessage({ is: "health", watcherId: row.id, code: "polling_network" });
  expect(healthOf().state).toBe("polling");
  expect(healths).toEqual(["wch_1 error", "wch_1 polling"]);
});

test("after the exit of the former process too, the next one begins a minute after the silence", async () => {
  const { clock, processes } = setup();
  await clock.advance(silenceMs);
  processes[0]!.exit();
  await clock.advance(minuteMs - 1);
  expect(processes).toHaveLength(1);
  await clock.advance(1);
  expect(processes).toHaveLength(2);
});

test("a process that failed and is still there keeps the next one away too", async () => {
  const { clock, processes } = setup();
  processes[0]!.parts.onEnd("EPIPE");
  expect(processes[0]!.isKilled).toBe(true);
  await clock.advance(minuteMs);
  expect(processes).toHaveLength(1);
  processes[0]!.exit();
  await clock.advance(0);
  expect(processes).toHaveLength(2);
});

test("a watcher that is created or changed meanwhile says that the mount does not answer, and is observed afterwards", async () => {
  const { clock, processes, put, healthOf, onCreated, onUpdated } = setup();
  await clock.advance(silenceMs);
  put({ id: "wch_2" });
  onCreated({ watcherId: "wch_2" });
  put({ path: "/net/other", observation: 2 });
  onUpdated({ watcherId: row.id });
  for (const id of [row.id, "wch_2"]) expect(healthOf(id).reason, id).toContain("does not respond");
  await clock.advance(2 * minuteMs);
  expect(processes).toHaveLength(1);
  processes[0]!.exit();
  await clock.advance(0);
  expect(processes[1]!.sent).toMatchObject([
    { is: "observe", watcherId: row.id, watcher: { path: "/net/other" } },
    { is: "observe", watcherId: "wch_2" },
  ]);
});

test("the daemon stops without waiting for such a process, given up or not, and starts no other", async () => {
  for (const waitMs of [0, silenceMs]) {
    const { clock, processes, loop } = setup();
    await clock.advance(waitMs);
    let isStopped = false;
    void loop.stop().then(() => (isStopped = true));
    await clock.advance(0);
    expect([isStopped, processes[0]!.isKilled]).toEqual([true, true]);
    processes[0]!.exit();
    await clock.advance(2 * minuteMs);
    expect(processes).toHaveLength(1);
  }
});

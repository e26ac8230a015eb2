import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import type { Clock } from "../../kernel/time/clock.ts";
import type { FromObserver, ToObserver } from "./observing/messages.ts";
import { createObservers, type HostParts, type MountPoint } from "./observers.ts";

interface Opened {
  readonly parts: HostParts;
  readonly sent: ToObserver[];
  isStopped: boolean;
}

function setup(ownClock?: Clock) {
  const clock = new ManualClock();
  const opened: Opened[] = [];
  const events: string[] = [];
  const messages: FromObserver[] = [];
  const open = (parts: HostParts) => {
    const one: Opened = { parts, sent: [], isStopped: false };
    opened.push(one);
    return {
      send: (message: ToObserver) => void one.sent.push(message),
      stop: async () => {
        one.isStopped = true;
      },
    };
  };
  const observers = createObservers({
    clock: ownClock ?? clock,
    start: { folder: "/w", runsFolder: "/w/files", dataDir: "/", hashKey: new Uint8Array(32), filesMax: 10 },
    openThread: open,
    openProcess: open,
    onMessage: (message) => void messages.push(message),
    onLost: (mount, { why }) => void events.push(`${mount} ${why}`),
    onReturned: (mount) => void events.push(`${mount} returned`),
  });
  const rescan = (mount: MountPoint) => observers.send(mount, { is: "rescan", watcherId: "wch_1" });
  /** Seconds in which all but the given ones give signs of life. */
  const pass = async (seconds: number, silent: readonly Opened[] = []) => {
    for (let second = 0; second < seconds; second++) {
      for (const one of opened) if (!one.isStopped && !silent.includes(one)) one.parts.onMessage({ is: "alive" });
      await clock.advance(1_000);
    }
  };
  return { clock, observers, opened, events, messages, rescan, pass };
}

test("local files have one observer, and each mount has its own, opened for the first message", () => {
  const { opened, rescan } = setup();
  expect(opened).toEqual([]);
  for (const mount of [null, "/a", null, "/b", "/a"]) rescan(mount);
  expect(opened.map(({ parts, sent }) => [parts.start.mount, sent.length])).toEqual([
    [null, 2],
    ["/a", 2],
    ["/b", 1],
  ]);
});

test("a mount's process that gives no sign of life for half a minute is stopped and reported; the others go on", async () => {
  const { opened, events, rescan, pass } = setup();
  for (const mount of [null, "/a", "/b"]) rescan(mount);
  const silent = opened[1]!;
  await pass(30, [silent]);
  expect(events).toEqual([]);
  await pass(10, [silent]);
  expect(events).toEqual(["/a no_answer"]);
  expect(opened.map(({ isStopped }) => isStopped)).toEqual([false, true, false]);
  rescan("/a");
  expect(opened.map(({ parts }) => parts.start.mount)).toEqual([null, "/a", "/b", "/a"]);
  await pass(100);
  expect(events).toEqual(["/a no_answer"]);
});

test("a silent thread is reported and kept, and reported again when it answers", async () => {
  const { opened, events, rescan, pass } = setup();
  rescan(null);
  await pass(40, [opened[0]!]);
  expect(events).toEqual(["null no_answer"]);
  await pass(10);
  expect(events).toEqual(["null no_answer", "null returned"]);
  expect(opened).toHaveLength(1);
});

test("after a stop of the daemon itself, silence counts from its return", () => {
  let now = 0;
  let look = (): void => {};
  const clock = {
    now: () => now,
    monotonicMs: () => now,
    uptimeMs: () => now,
    after: (_delayMs: number, work: () => void) => {
      look = work;
      return { cancel: () => {} };
    },
  };
  const { events, rescan } = setup(clock);
  rescan("/a");
  now += 3_600_000;
  look();
  expect(events).toEqual([]);
  for (let seconds = 0; seconds < 35; seconds += 5) {
    now += 5_000;
    look();
  }
  expect(events).toEqual(["/a no_answer"]);
});

test("one that ends by itself is reported once, and opened again for the next message", () => {
  const { opened, events, rescan } = setup();
  rescan("/a");
  opened[0]!.parts.onEnd("SIGKILL");
  opened[0]!.parts.onEnd("SIGKILL");
  expect(events).toEqual(["/a ended"]);
  rescan("/a");
  expect(opened).toHaveLength(2);
});

test("signs of life are not passed on, and other messages are", () => {
  const { opened, messages, rescan } = setup();
  rescan(null);
  opened[0]!.parts.onMessage({ is: "alive" });
  opened[0]!.parts.onMessage({ is: "settling", watcherId: "wch_1", isSettling: true });
  expect(messages).toEqual([{ is: "settling", watcherId: "wch_1", isSettling: true }]);
});

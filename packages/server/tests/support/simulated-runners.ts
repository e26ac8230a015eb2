import type { OpenRunners } from "../../src/features/engine/index.ts";
import type { PausedStart } from "../../src/features/engine/runners/pending-starts.ts";
import type { AttemptReport, Runners, RunnersListener } from "../../src/features/engine/runners/runners.ts";
import { type AttemptEnd, type Order, startVersions } from "../../src/runner/protocol/messages.ts";

type StartOrder = Extract<Order, { readonly do: "start" }>;

/** One runner in memory. No process starts: the test reads the orders and writes the reports. */
export function simulateRunners() {
  const orders: Order[] = [];
  const owned = new Set<string>();
  const paused = new Map<string, PausedStart>();
  let versions = startVersions;
  const connection = {
    get startVersions() {
      return versions;
    },
    send: (order: Order): void => {
      orders.push(order);
      onOrder(order);
    },
  };
  let listener: RunnersListener | undefined;
  let isConnected = true;
  let onSync = (): void => {};
  let onConnect = (): void => {};
  let listing: Promise<void> | null = null;
  let onOrder: (order: Order) => void = () => {};

  const runners: Runners = {
    start: async () => listener?.onChanged(),
    connect: async () => onConnect(),
    syncAll: async () => {
      onSync();
      await listing;
      return isConnected;
    },
    ownerOf: (attempt) => (owned.has(attempt) ? connection : null),
    own: () => (isConnected ? connection : null),
    assign: (attempt) => void (isConnected && owned.add(attempt)),
    mayStart: () => false,
    findPause: (attempt) => paused.get(attempt) ?? null,
    listPausedStarts: () => [...paused.values()],
    release: (attempt) => void owned.delete(attempt),
    listSilent: () => [],
    listHeldOutputs: () => [],
    isSilentFor: () => false,
    stop: () => {},
  };
  const open: OpenRunners = (given) => {
    listener = given;
    return runners;
  };

  return {
    open,
    orders,
    listStarts: (): readonly StartOrder[] => orders.filter((order) => order.do === "start"),
    report: (report: AttemptReport): void => {
      if (report.is === "returned" || report.is === "refused") owned.delete(report.attempt);
      else owned.add(report.attempt);
      listener?.onReport(report);
    },
    /** Writes a report of another runner, which does not own the attempt. */
    reportOfOther: (report: AttemptReport): void => listener?.onReport(report),
    /** Breaks the connection, with all messages in flight. Resolves when the daemon has requested a list in vain. */
    disconnect: (): Promise<void> => {
      isConnected = false;
      owned.clear();
      const asked = new Promise<void>((resolve) => (onSync = resolve));
      listener?.onChanged();
      return asked;
    },
    /** Whether the runner is of the version before the present one. */
    setFormer: (isFormer: boolean): void => {
      versions = isFormer ? startVersions.slice(0, -1) : startVersions;
      listener?.onChanged();
    },
    /** Pauses the order to start an attempt, as after runners that left it unanswered. */
    pause: (start: PausedStart): void => {
      owned.delete(start.attempt);
      paused.set(start.attempt, start);
    },
    /** Delays the answers to requests for lists until the returned function is called. */
    delayLists: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      listing = promise;
      return () => {
        listing = null;
        resolve();
      };
    },
    /** Connects the runner again, with a list of these attempts. */
    reconnect: (attempts: readonly string[]): void => {
      isConnected = true;
      for (const attempt of attempts) owned.add(attempt);
      listener?.onChanged();
    },
    /** Resolves when the daemon next requests the lists of all runners. */
    nextSync: (): Promise<void> => new Promise((resolve) => (onSync = resolve)),
    /** Resolves when the daemon next connects to the runner of a claim. */
    nextConnect: (): Promise<void> => new Promise((resolve) => (onConnect = resolve)),
    nextOrder: (): Promise<Order> => new Promise((resolve) => (onOrder = resolve)),
  };
}

/** The end of a program that exited with 0. */
export function succeeded(startedAt: number): AttemptEnd {
  const none = { written: 0, cut: 0 };
  return {
    cause: "exit",
    exitCode: 0,
    signal: null,
    detail: null,
    pid: 4_321,
    startedAt,
    endedAt: startedAt + 10,
    durationMs: 10,
    stdout: none,
    stderr: none,
  };
}

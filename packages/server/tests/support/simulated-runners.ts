import type { OpenRunners } from "../../src/features/engine/index.ts";
import type { AttemptReport, Runners, RunnersListener } from "../../src/features/engine/runners/runners.ts";
import { type AttemptEnd, type Order, startVersions } from "../../src/runner/protocol/messages.ts";

type StartOrder = Extract<Order, { readonly do: "start" }>;

/** One runner in memory. No process starts: the test reads the orders and writes the reports. */
export function simulateRunners() {
  const orders: Order[] = [];
  const owned = new Set<string>();
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
  let onOrder: (order: Order) => void = () => {};

  const runners: Runners = {
    start: async () => listener?.onChanged(),
    connect: async () => onConnect(),
    syncAll: async () => {
      onSync();
      return isConnected;
    },
    ownerOf: (attempt) => (owned.has(attempt) ? connection : null),
    own: () => (isConnected ? connection : null),
    assign: (attempt) => void (isConnected && owned.add(attempt)),
    mayStart: () => false,
    mayRepeat: () => true,
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

import { expect, test } from "vitest";
import { createLog } from "../../kernel/log/log.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { RunFact } from "../runs/index.ts";
import type { DispatchRequested } from "./facts.ts";
import { createPendingReports, type PendingReport, type PendingReportsParts } from "./pending-reports.ts";

type Facts = RunFact | DispatchRequested;

/** The real part over a database that keeps nothing, which counts the writes and notes what is written. */
function world(onDurable: (report: PendingReport) => void, failsAt: (writes: number) => boolean = () => false) {
  const written: string[] = [];
  const logged: string[] = [];
  let writes = 0;
  const unit: Unit<Facts> = { now: 0, record: () => {}, onUndo: () => {} };
  const parts: PendingReportsParts = {
    log: createLog({ now: () => 0 }, "error", [({ event }) => void logged.push(event)]),
    write: (work) => {
      writes += 1;
      const before = written.length;
      const result = work(unit);
      if (!failsAt(writes)) return result;
      written.length = before;
      throw new Error("the write failed");
    },
    lifecycle: {
      markStarted: (_unit: unknown, attempt: string) => void written.push(`started ${attempt}`),
      endAttempt: (_unit: unknown, attempt: string) => void written.push(`ended ${attempt}`),
    } as unknown as PendingReportsParts["lifecycle"],
    pauses: { followClock: () => {} },
    requestDispatch: () => {},
    noteRemoval: () => () => {},
    onDurable,
  };
  return { reports: createPendingReports(parts), written, logged };
}

const started = (attempt: string): PendingReport => ({ is: "started", attempt, pid: 1, at: 0 });

test("a report whose write succeeded is not written again when its runner cannot be told, and the others are told", () => {
  const told: string[] = [];
  const { reports, written, logged } = world(({ attempt }) => {
    if (attempt === "a") throw new Error("the runner is gone");
    told.push(attempt);
  });
  reports.add(started("a"));
  reports.add(started("b"));
  expect(reports.write()).toBe(true);
  expect([written, told, logged]).toEqual([["started a", "started b"], ["b"], ["engine.report_not_settled"]]);
  expect(reports.write()).toBe(true);
  expect(written).toEqual(["started a", "started b"]);
});

test("after a write that failed, each report is written alone, and one that fails again is kept for the next", () => {
  const told: string[] = [];
  // all together, then the first alone
  const { reports, written } = world(
    ({ attempt }) => void told.push(attempt),
    (writes) => writes <= 2,
  );
  reports.add(started("a"));
  reports.add(started("b"));
  expect(reports.write()).toBe(false);
  expect([written, told]).toEqual([["started b"], ["b"]]);
  expect(reports.write()).toBe(true);
  expect([written, told]).toEqual([
    ["started b", "started a"],
    ["b", "a"],
  ]);
});

import { describeError, isStorageFailure } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Unit, Write } from "../../kernel/storage/write.ts";
import type { AttemptEnd } from "../../runner/protocol/messages.ts";
import type { Lifecycle, Pauses, ReportedEnd, RunFact } from "../runs/index.ts";
import type { DispatchRequested } from "./facts.ts";
import { succeeds } from "./succeeds.ts";

/** A report that is not yet on disk. */
export type PendingReport =
  | { readonly is: "started"; readonly attempt: string; readonly pid: number; readonly at: number }
  | {
      readonly is: "ended";
      readonly attempt: string;
      readonly end: AttemptEnd | ReportedEnd;
      readonly onDurable?: () => void;
    };

export interface PendingReportsParts {
  readonly log: Log;
  readonly write: Write<RunFact | DispatchRequested>;
  readonly lifecycle: Lifecycle;
  readonly pauses: Pauses;
  /** Dispatches the runs that can start, at the end of the write. */
  readonly requestDispatch: (unit: Unit<DispatchRequested>) => void;
  /** Notes the removals of output in the write. Call its result after the commit. */
  readonly noteRemoval: () => () => void;
  readonly onDurable: (report: PendingReport) => void;
}

/** Keeps the reports of the runners in memory until their write succeeds. */
export function createPendingReports(parts: PendingReportsParts) {
  const { log, lifecycle, pauses, requestDispatch, onDurable } = parts;
  let pending: PendingReport[] = [];

  return {
    add: (report: PendingReport): void => void pending.push(report),
    /**
     * Writes all reports in one write, with the dispatch that follows from them. If the write fails, each report gets
     * its own write, so that a report that cannot be written does not block the others. Returns whether nothing failed.
     */
    write: (): boolean => {
      const reports = pending;
      pending = [];
      let onRemovalNoted: () => void;
      try {
        onRemovalNoted = parts.write((unit) => {
          pauses.followClock(unit);
          for (const report of reports) writeReport(unit, report);
          requestDispatch(unit);
          return parts.noteRemoval();
        });
      } catch (error) {
        log.error("engine.round_failed", { error: describeError(error) });
        if (isStorageFailure(error)) pending = [...reports, ...pending];
        else writeEach(reports);
        return false;
      }
      onRemovalNoted();
      reports.forEach(tellDurable);
      return true;
    },
  };

  function writeEach(reports: readonly PendingReport[]): void {
    for (const report of reports) {
      if (succeeds(() => parts.write((unit) => writeAlone(unit, report)))) tellDurable(report);
      else pending.push(report);
    }
    succeeds(() => parts.write(requestDispatch));
  }

  /** What fails here must not look like a write that failed: the report is on disk, and is not written again. */
  function tellDurable(report: PendingReport): void {
    try {
      onDurable(report);
    } catch (error) {
      log.error("engine.report_not_settled", { error: describeError(error) });
    }
  }

  function writeAlone(unit: Unit<RunFact>, report: PendingReport): void {
    pauses.followClock(unit);
    writeReport(unit, report);
  }

  function writeReport(unit: Unit<RunFact>, report: PendingReport): void {
    if (report.is === "started") lifecycle.markStarted(unit, report.attempt, report);
    else lifecycle.endAttempt(unit, report.attempt, report.end);
  }
}

import BetterSqlite from "better-sqlite3";
import { isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { hashOf } from "../../../src/features/audit/hash-chain.ts";
import { auditAnchor, auditEvents } from "../../../src/features/audit/table.ts";
import { type AttemptRow, attempts, type RunRow, runs } from "../../../src/features/runs/table.ts";
import { openEnd } from "../../../src/features/schedules/idle.ts";
import { type IdlePeriod, idlePeriods, type ScheduleRow, schedules } from "../../../src/features/schedules/table.ts";
import { latenessMaxMs } from "../../../src/features/schedules/ticking/misfire.ts";
import type { DaemonProcess } from "./daemon-process.ts";
import { everyMs, placesOf, type Plan, plans, readLedger } from "./kill-world.ts";

/** A span of time, on the wall clock. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** A daemon's life, and what it had recorded at its end. */
export interface Life {
  readonly from: number;
  readonly cursors: ReadonlyMap<string, number>;
}

export interface History {
  readonly schedules: readonly ScheduleRow[];
  readonly idlePeriods: readonly IdlePeriod[];
  readonly runs: readonly RunRow[];
  readonly attempts: readonly AttemptRow[];
}

export function readHistory(dataDir: string): History {
  const sqlite = new BetterSqlite(join(dataDir, "belfry.db"), { readonly: true });
  const db = drizzle({ client: sqlite });
  const history = {
    schedules: db.select().from(schedules).all(),
    idlePeriods: db.select().from(idlePeriods).all(),
    runs: db.select().from(runs).orderBy(runs.scheduledFor).all(),
    attempts: db.select().from(attempts).all(),
  };
  sqlite.close();
  return history;
}

/**
 * Whether every run has ended, and also every run that an end starts. One query reads all: between a list of one state
 * and the next, an end may move a run into a state that was read already.
 */
export function hasEveryRunEnded(dataDir: string): boolean {
  const sqlite = new BetterSqlite(join(dataDir, "belfry.db"), { readonly: true });
  const live = drizzle({ client: sqlite }).select().from(runs).where(isNull(runs.endedAt)).limit(1).get();
  sqlite.close();
  return live === undefined;
}

/** Every row of one table, as the code reads it. */
export function readTable<T extends SQLiteTable>(dataDir: string, table: T): readonly T["$inferSelect"][] {
  const sqlite = new BetterSqlite(join(dataDir, "belfry.db"), { readonly: true });
  const rows = drizzle({ client: sqlite }).select().from(table).all();
  sqlite.close();
  return rows;
}

/** The last scheduled time that is recorded of each schedule, by its id. */
export function readCursors(dataDir: string): ReadonlyMap<string, number> {
  return new Map(readTable(dataDir, schedules).map(({ id, cursorAt }) => [id, cursorAt]));
}

/** Expects a sound database file, and an audit trail without changed, added or removed rows. */
export function expectSoundDatabase(dataDir: string): void {
  const sqlite = new BetterSqlite(join(dataDir, "belfry.db"), { readonly: true });
  const db = drizzle({ client: sqlite });
  expect(sqlite.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(sqlite.pragma("foreign_key_check")).toEqual([]);
  let previousHash = db.select().from(auditAnchor).get()?.hash ?? null;
  for (const row of db.select().from(auditEvents).orderBy(auditEvents.number).all()) {
    expect(row.previousHash, `audit row ${row.number}`).toBe(previousHash);
    expect(hashOf(row), `audit row ${row.number}`).toBe(row.hash);
    previousHash = row.hash;
  }
  sqlite.close();
}

/**
 * Expects every scheduled time before a schedule was disabled in exactly one row, and no other time in any row. A time
 * that was due but not recorded yet when its schedule was disabled belongs to the period in which it is disabled, and
 * was late by less than what counts as missed.
 */
export function expectEachInstantOnce({ schedules: all, idlePeriods: idle, runs: rows }: History): void {
  for (const schedule of all) {
    const covered = rows.filter((row) => row.sourceScheduleId === schedule.id).flatMap(instantsOf);
    const expected = [];
    for (let at = schedule.anchorAt + everyMs; at <= schedule.cursorAt; at += everyMs) expected.push(at);
    expect(
      covered.sort((a, b) => a - b),
      `scheduled times of ${schedule.taskId}`,
    ).toEqual(expected);
    // the times after the cursor belong to the period in which the schedule is disabled
    const disabled = idle.find(({ scheduleId, untilAt }) => scheduleId === schedule.id && untilAt === openEnd);
    const nextAt = schedule.cursorAt + everyMs;
    expect(disabled?.fromAt, `the time from which ${schedule.taskId} is disabled`).toBeLessThanOrEqual(nextAt);
    expect(schedule.updatedAt - nextAt).toBeLessThan(latenessMaxMs);
  }
}

/** The scheduled times that are merged into one row. */
function instantsOf(row: RunRow): number[] {
  const instants = [];
  for (let at = row.coalescedFrom ?? row.scheduledFor; at <= row.scheduledFor; at += everyMs) instants.push(at);
  expect(instants, `run ${row.id} has as many scheduled times as it says`).toHaveLength(row.coalesced + 1);
  return instants;
}

/**
 * Expects times that were due in an outage to follow the schedule's policy, and times that a daemon recorded in its own
 * life to have run. The next daemon may have missed those that were due just before a kill.
 */
export function expectPolicies(
  { schedules: all, runs: rows }: History,
  seen: { readonly outages: readonly Span[]; readonly up: readonly Life[] },
): void {
  for (const schedule of all) {
    const plan = planOf(rows, schedule);
    const own = rows.filter((row) => row.sourceScheduleId === schedule.id);
    const rowOf = (at: number): RunRow => own.find((row) => instantsOf(row).includes(at))!;
    if (plan.policy === "run_all")
      expect(own.every((row) => row.coalesced === 0 && row.state !== "skipped")).toBe(true);
    for (const outage of seen.outages) {
      const missed = instantsWithin(schedule, outage).map(rowOf);
      // one run for all times of an outage
      if (plan.policy === "run_once") expect(new Set(missed.map((row) => row.id)).size).toBeLessThanOrEqual(1);
      if (plan.policy === "skip") expect(missed.filter((row) => row.reason !== "misfire")).toEqual([]);
    }
    for (const { from, cursors } of seen.up) {
      const ran = instantsWithin(schedule, { from, until: cursors.get(schedule.id)! + 1 }).map(rowOf);
      expect(
        ran.filter((row) => row.reason === "misfire"),
        `${plan.name} at ${from}`,
      ).toEqual([]);
    }
  }
}

function instantsWithin(schedule: ScheduleRow, { from, until }: Span): number[] {
  const instants = [];
  const first = schedule.anchorAt + everyMs * Math.max(1, Math.ceil((from - schedule.anchorAt) / everyMs));
  for (let at = first; at < Math.min(until, schedule.cursorAt); at += everyMs) instants.push(at);
  return instants;
}

function planOf(rows: readonly RunRow[], { taskId }: Pick<ScheduleRow, "taskId">): Plan {
  const name = rows.find((row) => row.taskId === taskId)?.taskName;
  return plans.find((plan) => plan.name === name)!;
}

/** Expects that every run has ended with the only result its task allows, and that every attempt ran once. */
export async function expectEachRunOnce({ runs: rows, attempts: tries }: History, folder: string): Promise<void> {
  const byRun = Map.groupBy(tries, ({ runId }) => runId);
  for (const row of rows) {
    expect(row.endedAt, `run ${row.id} is ${row.state}`).not.toBeNull();
    const numbers = (byRun.get(row.id) ?? []).map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers, `attempts of ${row.id}`).toEqual(Array.from({ length: row.attempt }, (_, index) => index + 1));
    if (row.state === "skipped") expect(row.attempt).toBe(0);
    else if (row.state !== "cancelled")
      expect({ state: row.state, reason: row.reason, attempt: row.attempt }, `${row.taskName} ${row.id}`).toEqual(
        endOf(row.taskName),
      );
  }
  const ledger = await readLedger(folder);
  const begun = ledger.map(({ runId, attempt }) => `${runId}.${attempt}`);
  expect(new Set(begun).size).toBe(begun.length);
  const known = new Set(tries.map(({ runId, number }) => `${runId}.${number}`));
  expect(begun.filter((key) => !known.has(key))).toEqual([]);
  const ran = new Set(begun);
  expect(tries.filter(({ cause, runId, number }) => cause === "exit" && !ran.has(`${runId}.${number}`))).toEqual([]);
  expect(tries.filter(({ cause }) => !["exit", "timeout", "cancelled"].includes(cause ?? "none"))).toEqual([]);
}

function endOf(name: string): object {
  if (name === "slow") return { state: "failed", reason: "timeout", attempt: 1 };
  return { state: "succeeded", reason: "exit_code", attempt: name === "failing" ? 3 : 1 };
}

/**
 * Expects the complete output of each attempt. An attempt that was ended may have written a line before it noted it.
 */
export async function expectWholeOutput(
  { attempts: tries }: History,
  daemon: DaemonProcess,
  folder: string,
): Promise<void> {
  for (const { runId, number, cause, stdoutCut } of tries) {
    const written = await readFile(join(placesOf(folder).written, `${runId}.${number}`), "utf8").catch(() => "");
    const { text } = await daemon.call("GET", `/v1/runs/${runId}/output?attempt=${number}`);
    expect(stdoutCut).toBe(0);
    const noted = cause === "exit" ? text : text.slice(0, written.length);
    // compared as a boolean: nobody can read a difference of 200,000 characters
    expect(
      noted === written,
      `output of ${runId}, attempt ${number}: ${text.length} bytes kept, ${written.length} written`,
    ).toBe(true);
  }
}

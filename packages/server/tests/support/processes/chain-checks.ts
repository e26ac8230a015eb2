import { until } from "@belfry/test-kit";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { type ChainRow, chains } from "../../../src/features/chains/table.ts";
import type { RunRow } from "../../../src/features/runs/table.ts";
import { type ProcessOptions, startDaemonProcess } from "./daemon-process.ts";
import { expectSoundDatabase, hasEveryRunEnded, type History, readHistory, readTable } from "./kill-checks.ts";

/** Expects, after the last kill, that a living daemon completes every run and that each target started exactly once. */
export async function expectAllStartedOnce(
  options: ProcessOptions,
  folder: string,
): Promise<{ readonly history: History; readonly started: number }> {
  await using last = await startDaemonProcess(options);
  await until("the end of every run", () => hasEveryRunEnded(options.dataDir));
  await last.stop();
  const history = readHistory(options.dataDir);
  const started = expectEachEndOnce(history, readTable(options.dataDir, chains));
  await expectEachBegunOnce(history, folder);
  expectSoundDatabase(options.dataDir);
  return { history, started };
}

/** Expects one run for each chain that waits for the outcome of an end, and no other run. Returns their number. */
function expectEachEndOnce({ runs }: History, all: readonly ChainRow[]): number {
  const keyOf = (chainId: string, runId: string): string => `${chainId} after ${runId}`;
  const expected = runs.flatMap((run) => chainsAfter(run, all).map((chain) => keyOf(chain.id, run.id)));
  const started = runs.filter(({ trigger }) => trigger === "completion");
  expect(started.map((run) => keyOf(run.sourceChainId!, run.sourceRunId!)).sort()).toEqual(expected.sort());
  const byId = new Map(runs.map((run) => [run.id, run]));
  const chainOf = new Map(all.map((chain) => [chain.id, chain]));
  for (const run of started) {
    const source = byId.get(run.sourceRunId!)!;
    const chain = chainOf.get(run.sourceChainId!)!;
    expect(run.taskId).toBe(chain.targetTaskId);
    expect(run.scheduledFor).toBe(source.endedAt! + chain.delayMs);
    if (run.startedAt !== null) expect(run.startedAt).toBeGreaterThanOrEqual(run.scheduledFor);
    expect(run.sourceOutcome).toBe(source.outcome);
  }
  return started.length;
}

function chainsAfter(run: RunRow, all: readonly ChainRow[]): readonly ChainRow[] {
  if (run.outcome === null) return [];
  return all.filter(
    ({ sourceTaskId, onOutcome }) => sourceTaskId === run.taskId && (onOutcome === "any" || onOutcome === run.outcome),
  );
}

/**
 * Expects, by the ledger that the processes wrote, that no attempt began twice and that each attempt that ended by
 * itself had begun.
 */
async function expectEachBegunOnce({ attempts }: History, folder: string): Promise<void> {
  const begun = (await readFile(join(folder, "ledger"), "utf8")).split("\n").filter((line) => line !== "");
  expect(new Set(begun).size).toBe(begun.length);
  const known = new Set(attempts.map(({ runId, number }) => `${runId}.${number}`));
  expect(begun.filter((key) => !known.has(key))).toEqual([]);
  expect(attempts.filter(({ cause }) => cause !== "exit")).toEqual([]);
  expect(begun).toHaveLength(attempts.length);
}

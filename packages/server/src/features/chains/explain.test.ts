import { expect, test } from "vitest";
import type { RunRow } from "../runs/index.ts";
import { createExplainChains } from "./explain.ts";
import type { NamedChain } from "./store.ts";

const endedAt = Date.parse("2026-03-01T01:00:00Z");
const chain = {
  id: "chn_1",
  sourceTaskId: "tsk_1",
  sourceTaskName: "Load",
  onOutcome: "success",
  enabled: true,
  createdAt: 0,
} as NamedChain;
const sourceRun = { id: "run_1", outcome: "success", endedAt, reasonText: "exited with code 0" } as RunRow;

interface Case {
  readonly chain?: Partial<NamedChain>;
  readonly source?: Partial<RunRow> | null;
  readonly run?: Partial<RunRow>;
}

const viewer = { capability: "manage", transport: "local" } as const;

/** The decision and the sentence for one chain. */
function explain({ chain: changed, source, run }: Case): string {
  const explainChains = createExplainChains({
    store: { list: () => [{ ...chain, ...changed }] },
    runs: {
      findNewestEnd: () => (source === null ? undefined : { ...sourceRun, ...source }),
      findByEnd: () =>
        run === undefined
          ? undefined
          : ({ startedAt: null, endedAt: null, sourceOutcome: "success", ...run } as RunRow),
    },
    describeRun: ({ state }) => `has the state ${state}`,
  });
  const [answer] = explainChains({ taskId: "tsk_2", at: endedAt, now: endedAt, viewer });
  return `${answer!.decision}: ${answer!.reason}`;
}

test("each reason why a chain started no run has a sentence", () => {
  expect([
    explain({ source: null }),
    explain({ source: { outcome: null, reason: "cancelled", reasonText: "was cancelled" } }),
    explain({ source: { outcome: "failure" } }),
    explain({ chain: { onOutcome: "failure" } }),
    explain({ chain: { createdAt: endedAt + 1 } }),
    explain({ chain: { enabled: false } }),
    explain({ chain: { onOutcome: "any" } }),
  ]).toEqual([
    'not_due: There is no record of an ended run of "Load" by this time: none had ended, or retention deleted it',
    'not_due: "Load" was cancelled, so it has no outcome and starts no other task',
    'not_due: "Load" failed, and the chain starts its task only after a success',
    'not_due: "Load" succeeded, and the chain starts its task only after a failure',
    'not_due: The chain did not exist yet when "Load" ended',
    "not_due: The chain is disabled",
    'not_due: There is no record of a run after "Load" ended: the chain has changed since then, or retention deleted the run',
  ]);
});

test("each state of a run that a chain started has a sentence", () => {
  const ended = { endedAt: endedAt + 1_000 };
  expect([
    explain({ run: { state: "queued" } }),
    explain({ run: { state: "running", startedAt: endedAt, sourceOutcome: "failure" } }),
    explain({ run: { state: "succeeded", startedAt: endedAt, ...ended } }),
    explain({ run: { state: "cancelled", ...ended } }),
    explain({ run: { state: "skipped", ...ended } }),
  ]).toEqual([
    'queued: "Load" succeeded, and the run after it has the state queued',
    'ran: "Load" failed, and the run after it has the state running',
    'ran: "Load" succeeded, and the run after it has the state succeeded',
    'skipped: "Load" succeeded, and the run after it has the state cancelled',
    'skipped: "Load" succeeded, and the run after it has the state skipped',
  ]);
});

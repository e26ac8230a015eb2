import type { RunFailures } from "../modules/runs/failures.ts";
import type { Run, RunAttempt } from "../modules/runs/schemas.ts";
import type { Timeline } from "../modules/timeline/schemas.ts";
import { ids, names } from "./example-names.ts";

export const timeline: Timeline = {
  from: "2026-11-21T00:00:00.000Z",
  until: "2026-11-23T00:00:00.000Z",
  now: "2026-11-21T12:00:00.000Z",
  rows: [
    {
      task_id: ids.task,
      name: names.task,
      group_id: ids.group,
      group_path: names.group,
      usual_duration_ms: 61_900,
      past: {
        kind: "runs",
        runs: [
          {
            id: ids.run,
            state: "succeeded",
            outcome: "success",
            scheduled_for: "2026-11-21T01:18:00.000Z",
            queued_at: "2026-11-21T01:18:00.004Z",
            started_at: "2026-11-21T01:18:00.123Z",
            ended_at: "2026-11-21T01:19:02.870Z",
            coalesced: 0,
            coalesced_from: null,
          },
        ],
      },
      future: { kind: "times", times: [{ at: "2026-11-22T02:00:00.000Z", schedule_id: ids.schedule }] },
      unplanned: [],
    },
  ],
  next_cursor: null,
};

export const runAttempt: RunAttempt = {
  number: 1,
  created_at: "2026-11-21T01:18:00.004Z",
  started_at: "2026-11-21T01:18:00.123Z",
  ended_at: "2026-11-21T01:19:02.870Z",
  reason: "exit_code",
  exit_code: 0,
  signal: null,
  output: { stdout_bytes: 4_096, stderr_bytes: 0, stdout_cut: 0, stderr_cut: 0 },
};

/** The failures of a task, of which this run is one in another state. */
export function failuresOf(run: Run): RunFailures {
  const failed = { state: "failed", outcome: "failure", reason_text: "exited with code 3", exit_code: 3 } as const;
  const task = { task_id: run.task_id, failures: 3, last: { ...run, ...failed }, has_recovered: false };
  return { tasks: [task], task_count: 1 };
}

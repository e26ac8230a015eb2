import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "./support/harness.ts";
import { untilRound } from "./support/rounds.ts";

test("a scheduled task runs at its time and its output is kept", async () => {
  const clock = new ManualClock("2026-03-01T00:00:00Z");
  await using daemon = await startDaemon({ clock });
  const task = await daemon.call("POST", "/v1/tasks", {
    name: "hello",
    command: { kind: "shell", script: "echo hello" },
  });
  expect(task.status).toBe(201);
  const schedule = await daemon.call("POST", "/v1/schedules", {
    task_id: task.json.id,
    kind: "cron",
    expression: "0 3 * * *",
  });
  expect(schedule.json.next_run_at).toBe("2026-03-01T03:00:00.000Z");
  await clock.advance(3 * 3_600_000);
  const run = await untilRound(daemon, "the run's end", async () => {
    const { json } = await daemon.call("GET", "/v1/runs?state=succeeded");
    return json.runs[0];
  });
  expect(run.scheduled_for).toBe("2026-03-01T03:00:00.000Z");
  const output = await daemon.call("GET", `/v1/runs/${run.id}/output`);
  expect(output.text).toBe("hello\n");
});

import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { rewriteRows } from "../support/damage.ts";
import { startDaemon } from "../support/harness.ts";
import { listRuns, made2xx, makeTask, untilReady } from "../support/tasks.ts";

test("a schedule that cannot be handled when its hold ends makes up for no time of the hold later", async () => {
  const clock = new ManualClock("2026-03-01T00:00:30Z");
  await using daemon = await startDaemon({ clock });
  const task = await untilReady(daemon, await makeTask(daemon, ":"));
  const expression = "* * * * *";
  const { id } = await made2xx(
    daemon.call("POST", "/v1/schedules", {
      task_id: task.id,
      kind: "cron",
      expression,
      misfire: { policy: "run_all" },
    }),
  );
  const set = (value: string): void =>
    rewriteRows(daemon.dataDir, "UPDATE schedules SET expression = ? WHERE id = ?", value, id);
  await made2xx(daemon.call("POST", "/v1/hold", {}));
  // due, and released before the ticker looked
  clock.jump(5 * 60_000);
  set("now and then");
  await made2xx(daemon.call("POST", "/v1/release", {}));
  set(expression);
  await clock.advance(3 * 60_000);
  const times = (await listRuns(daemon, `task_id=${task.id}`)).map(({ scheduled_for }) => scheduled_for);
  expect(times).toContain("2026-03-01T00:07:00.000Z");
  expect(times.filter((time) => time < "2026-03-01T00:05:30Z")).toEqual([]);
});

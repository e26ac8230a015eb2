import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { type Json, startDaemon } from "../support/harness.ts";
import { untilRound } from "../support/rounds.ts";
import { getRun, listRuns, made2xx, makeTask, startRun, untilEnd } from "../support/tasks.ts";
import { link, startedBy } from "../support/chains.ts";

const sourcesOf = (run: Json): Json =>
  Object.fromEntries(Object.entries(run).filter(([name]) => name.startsWith("source_")));
const none = { source_schedule_id: null, source_chain_id: null };

test("a run names the trigger, or the task and run, that started it, and omits members that do not apply", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const [task, target] = [await makeTask(daemon, ":"), await makeTask(daemon, ":")];
  const chain = await link(daemon, task, target);
  const manual = await untilEnd(daemon, await startRun(daemon, task));
  expect(sourcesOf(manual)).toEqual(none);

  const [completion] = await startedBy(daemon, manual);
  expect(sourcesOf(completion)).toEqual({
    ...none,
    source_chain_id: chain.id,
    source_task_id: task.id,
    source_run_id: manual.id,
  });

  const made = await made2xx(daemon.call("POST", "/v1/triggers", { name: "fired", target_task_id: target.id }));
  const { run_id: id } = await made2xx(daemon.call("POST", "/v1/triggers/fire", { key: made.key }));
  expect(sourcesOf(await getRun(daemon, { id }))).toEqual({ ...none, source_trigger_id: made.trigger.id });

  const at = new Date(clock.now() + 2_000).toISOString();
  const schedule = await made2xx(daemon.call("POST", "/v1/schedules", { task_id: task.id, kind: "once", at }));
  await clock.advance(2_000);
  const [due] = await untilRound(daemon, "the scheduled run", async () => {
    const runs = await listRuns(daemon, "trigger=schedule");
    return runs.length === 1 ? runs : null;
  });
  expect(sourcesOf(due)).toEqual({ ...none, source_schedule_id: schedule.id });
});

import { ManualClock, seed } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createDispatcher, type DispatcherDeps } from "../../src/features/engine/dispatcher.ts";
import { createListWaitingTasks } from "../../src/features/engine/store.ts";
import { soleSource } from "../../src/features/runs/index.ts";
import { type OpenDatabase, openDatabase } from "../../src/kernel/storage/database.ts";
import { createLog } from "../../src/kernel/log/log.ts";
import { openTestApplication, type TestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { seeded } from "../support/seeded.ts";
import { made2xx, makeGroup, makeTask } from "../support/tasks.ts";

type Choose = <T>(values: readonly T[]) => T;

/** Groups, tasks and runs of every kind: some active, some due now or later, and some whose task can no longer start. */
async function fill(app: TestApplication, clock: ManualClock, choose: Choose): Promise<void> {
  const groups: Json[] = [];
  for (let made = 0; made < 8; made++) {
    const parent_id = choose([null, ...groups.map(({ id }) => id as string)]);
    groups.push(await makeGroup(app, { parent_id, max_concurrent_runs: choose([null, 1, 1, 2]) }));
  }
  const tasks: Json[] = [];
  for (let made = 0; made < 40; made++)
    tasks.push(
      await makeTask(app, ":", {
        group_id: choose([null, ...groups.map(({ id }) => id as string)]),
        concurrency: {
          key: choose([null, null, "one", "other"]),
          limit: choose([1, 1, 2]),
          on_conflict: choose(["queue", "skip", "replace"]),
        },
        priority: choose([0, 0, 1]),
      }),
    );
  const { inside } = app;
  for (let made = 0; made < 100; made++) {
    inside.write((unit) => {
      const due = choose([clock.now(), clock.now(), clock.now() + 500, clock.now() + 3_600_000]);
      const source = soleSource({ trigger: "manual" }, due, unit.now);
      const run = inside.requests.requestFor(unit, inside.tasks.get(choose(tasks).id), source);
      if (run.state === "queued" && run.notBefore === 0 && choose([true, false, false, false]))
        inside.lifecycle.dispatch(unit, run, "test");
    });
    await clock.advance(choose([0, 1]));
  }
  await clock.advance(1_000);
  for (const { id } of tasks) {
    const change = choose(["disable", "archive", ...Array.from({ length: 10 }, () => null)]);
    if (change !== null) await made2xx(app.call("POST", `/v1/tasks/${id}/${change}`));
  }
  await made2xx(app.call("POST", `/v1/groups/${choose(groups).id}/disable`));
  await made2xx(app.call("POST", "/v1/hold", { group_id: choose(groups).id }));
}

/** Returns what one round decides, in its order, and how many tasks it reads. Writes nothing. */
function decide(
  { inside }: TestApplication,
  listWaitingTasks: DispatcherDeps["listWaitingTasks"],
): { readonly decisions: readonly string[]; readonly isFull: boolean; readonly reads: number } {
  const decisions: string[] = [];
  let reads = 0;
  const dispatch = createDispatcher({
    log: createLog(new ManualClock(), "error", []),
    store: inside.runStore,
    tasks: {
      ...inside.tasks,
      find: (id) => {
        reads++;
        return inside.tasks.find(id);
      },
    },
    lifecycle: {
      ...inside.lifecycle,
      dispatch: (unit, run, origin) => {
        decisions.push(`start ${run.id}`);
        return inside.lifecycle.dispatch(unit, run, origin);
      },
      giveUp: (_unit, run, obstacle) => void decisions.push(`${obstacle} ${run.id}`),
      skipOverlapping: (_unit, run) => void decisions.push(`overlap ${run.id}`),
    },
    replacement: { ...inside.replacement, replaceForDue: () => {} },
    listWaitingTasks,
    runsAtOnceMax: 30,
    isRunnerTooOld: ({ id }) => id.endsWith("a"),
    origin: () => "test",
  });
  const undone = new Error("undone");
  let isFull = false;
  try {
    inside.write((unit) => {
      isFull = dispatch(unit);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return { decisions, isFull, reads };
}

test("a round that reads one task of those that wait alike decides what one that reads every task decides", async () => {
  const kinds = new Set<string>();
  let saved = 0;
  for (let turn = 0; turn < 8; turn++) {
    const random = seeded(seed + turn);
    const choose: Choose = (values) => values[Math.floor(random() * values.length)]!;
    const clock = new ManualClock();
    await using app = await openTestApplication({ clock });
    await fill(app, clock, choose);
    await using reader = openReader(app.sqlite.name);
    const whole = decide(app, () => []);
    const short = decide(app, createListWaitingTasks(reader.db));
    expect({ ...short, reads: 0 }).toEqual({ ...whole, reads: 0 });
    for (const decision of whole.decisions) kinds.add(decision.split(" ")[0]!);
    saved += whole.reads - short.reads;
  }
  expect([...kinds].toSorted()).toEqual(["group_blocked", "overlap", "start", "task_disabled", "task_inactive"]);
  expect(saved).toBeGreaterThan(0);
});

/** A connection of its own: the rounds that are compared have written nothing before they read the list. */
function openReader(path: string): OpenDatabase & AsyncDisposable {
  const database = openDatabase(path);
  return { ...database, [Symbol.asyncDispose]: async () => database.close() };
}

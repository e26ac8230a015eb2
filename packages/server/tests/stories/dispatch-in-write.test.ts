import { describe, expect, test } from "vitest";
import { soleSource } from "../../src/features/runs/source.ts";
import type { Json } from "../harness.ts";
import { makeChain, makeTask, makeTrigger, muchLater } from "../api/api.ts";
import { type House, openHouse } from "../api/house.ts";

/** The state of a run before the event loop has turned once: what its own write has made of it. */
const stateOf = ({ rooms }: House, runId: string): string | undefined => rooms.runStore.find(runId)?.state;

function requestByHand({ rooms }: House, taskId: string): string {
  return rooms.write((unit) => rooms.requests.requestByHand(unit, rooms.tasks.get(taskId), null).id);
}

describe("a run that can start gets its attempt in the write that requests it", () => {
  test("by hand", async () => {
    await using house = await openHouse({ canRun: true });
    const { id } = await makeTask(house);
    expect(stateOf(house, requestByHand(house, id))).toBe("dispatching");
  });

  test("by a trigger", async () => {
    await using house = await openHouse({ canRun: true });
    const { key } = await makeTrigger(house);
    const { run_id } = house.rooms.write((unit) => house.rooms.fire.fire(unit, key));
    expect(stateOf(house, run_id)).toBe("dispatching");
  });

  test("by a chain, in the write that ends the run before it", async () => {
    await using house = await openHouse({ canRun: true });
    const chain = await makeChain(house);
    const { rooms } = house;
    rooms.write((unit) => {
      const task = rooms.tasks.get(chain.source_task_id);
      const run = rooms.requests.requestFor(unit, task, soleSource({ trigger: "manual" }, unit.now, unit.now));
      const attempt = rooms.lifecycle.dispatch(unit, run, "test");
      rooms.lifecycle.endAttempt(unit, attempt.id, ended(unit.now));
    });
    const followers = rooms.runStore.list({ taskId: chain.target_task_id }, { limit: 10, after: null });
    expect(followers.map(({ state }) => state)).toEqual(["dispatching"]);
  });

  test("of many in one write as many as may run at once, the oldest first", async () => {
    await using house = await openHouse({ canRun: true, config: { runsAtOnceMax: 2 } });
    const { rooms } = house;
    const tasks: Json[] = [];
    for (let made = 0; made < 4; made++) tasks.push(await makeTask(house));
    const ids = rooms.write((unit) =>
      tasks.map(({ id }) => rooms.requests.requestByHand(unit, rooms.tasks.get(id), null).id),
    );
    // runs of one write are equally old: the order of their ids decides
    const states = ids.toSorted().map((id) => stateOf(house, id));
    expect(states).toEqual(["dispatching", "dispatching", "queued", "queued"]);
  });
});

describe("a run that cannot start waits", () => {
  test("for its time", async () => {
    await using house = await openHouse({ canRun: true });
    const task = await makeTask(house);
    const run = await house.call("POST", `/v1/tasks/${task.id}/run`, { scheduled_for: muchLater });
    expect(stateOf(house, run.json.id)).toBe("queued");
  });

  test("for the run of its task before it", async () => {
    await using house = await openHouse({ canRun: true });
    const { id } = await makeTask(house);
    expect([requestByHand(house, id), requestByHand(house, id)].map((run) => stateOf(house, run))).toEqual([
      "dispatching",
      "queued",
    ]);
  });
});

test("a write that is undone takes the attempt back", async () => {
  await using house = await openHouse({ canRun: true });
  const { rooms } = house;
  const { id } = await makeTask(house);
  let runId = "";
  const failing = () =>
    rooms.write((unit) => {
      runId = rooms.requests.requestByHand(unit, rooms.tasks.get(id), null).id;
      throw new Error("after the request");
    });
  expect(failing).toThrow("after the request");
  expect(rooms.runStore.find(runId)).toBeUndefined();
  expect(stateOf(house, requestByHand(house, id))).toBe("dispatching");
});

function ended(at: number) {
  const none = { written: 0, cut: 0 };
  return {
    cause: "exit",
    exitCode: 0,
    signal: null,
    detail: null,
    pid: 4_321,
    startedAt: at,
    endedAt: at,
    durationMs: 0,
    stdout: none,
    stderr: none,
  } as const;
}

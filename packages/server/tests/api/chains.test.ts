import { Chain } from "@belfry/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Harness, type Json, startDaemon } from "../support/harness.ts";
import { everything, fresh, makeChain, makeGroup, makeTask, missing, query } from "../support/api.ts";
import { expectRefusal } from "../support/call.ts";

let daemon: Harness;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

async function makeTasks(count: number): Promise<readonly Json[]> {
  const tasks: Json[] = [];
  for (let made = 0; made < count; made++) tasks.push(await makeTask(daemon));
  return tasks;
}

const link = (source: Json, target: Json, more: object = {}): Promise<Answer> =>
  daemon.call("POST", "/v1/chains", {
    source_task_id: source.id,
    target_task_id: target.id,
    on_outcome: "success",
    ...more,
  });

async function linked(source: Json, target: Json, more: object = {}): Promise<Json> {
  const { status, json, text } = await link(source, target, more);
  expect(status, text).toBe(201);
  return json;
}

/** Expects a refusal that changes no row except in the audit trail, which records it. */
async function expectNoTrace(field: string, call: () => Promise<Answer>): Promise<string> {
  const before = everything(daemon, ["audit_events"]);
  const answer = await call();
  expectRefusal(answer, "validation_failed", field);
  expect(everything(daemon, ["audit_events"])).toEqual(before);
  return answer.json.error.message as string;
}

describe("a chain", () => {
  test("is created with its defaults, and read with the current names of its tasks", async () => {
    const [load, report] = await makeTasks(2);
    const chain = await linked(load, report);
    expect(chain).toEqual({
      id: expect.stringMatching(/^chn_[0-9A-Za-z]{20}$/),
      source_task_id: load.id,
      source_task_name: load.name,
      target_task_id: report.id,
      target_task_name: report.name,
      on_outcome: "success",
      enabled: true,
      delay: "0s",
      created_at: expect.stringMatching(/Z$/),
      updated_at: chain.created_at,
      revision: 1,
    });
    const name = fresh("renamed");
    await daemon.call("PATCH", `/v1/tasks/${report.id}`, { name });
    expect((await daemon.call("GET", `/v1/chains/${chain.id}`)).json).toEqual({ ...chain, target_task_name: name });
  });

  test("accepts each mutable member alone, and a change without effect leaves no trace", async () => {
    const chain = await makeChain(daemon);
    const [source, target] = await makeTasks(2);
    const patches = [
      { source_task_id: source.id },
      { target_task_id: target.id },
      { on_outcome: "any" },
      { enabled: false },
      { delay: "1.5m" },
    ];
    let revision = 1;
    for (const patch of patches) {
      const { status, json } = await daemon.call("PATCH", `/v1/chains/${chain.id}`, patch);
      expect([status, json.revision]).toEqual([200, ++revision]);
      expect(json).toMatchObject("delay" in patch ? { delay: "90s" } : patch);
      const again = await daemon.call("PATCH", `/v1/chains/${chain.id}`, patch);
      expect(again.json).toEqual(json);
    }
    const read = (await daemon.call("GET", `/v1/chains/${chain.id}`)).json;
    expect(read).toMatchObject({ source_task_name: source.name, target_task_name: target.name });
  });

  test("has no other members: a member that cannot be changed or does not exist is refused by name", async () => {
    const chain = await makeChain(daemon);
    for (const member of ["id", "source_task_name", "created_at", "revision", "name"]) {
      const answer = await daemon.call("PATCH", `/v1/chains/${chain.id}`, { [member]: chain[member] ?? "x" });
      expectRefusal(answer, "validation_failed", member);
    }
    expectRefusal(await daemon.call("PATCH", `/v1/chains/${chain.id}`, {}), "validation_failed");
  });

  test("with an invalid outcome or delay is refused at that member", async () => {
    const [source, target] = await makeTasks(2);
    for (const on_outcome of ["", "Success", "cancelled", "skipped", "succeeded", null, ["any"]])
      await expectNoTrace("on_outcome", () => link(source, target, { on_outcome }));
    for (const delay of ["5", "-1s", "1y", "367d", "", 5, null])
      await expectNoTrace("delay", () => link(source, target, { delay }));
    for (const delay of ["0ms", "366d"]) await linked(source, (await makeTasks(1))[0], { delay });
  });

  test("needs both its tasks: an unknown task is not found, at its member", async () => {
    const [task] = await makeTasks(1);
    expectRefusal(await link({ id: missing.task }, task), "not_found", "source_task_id");
    expectRefusal(await link(task, { id: missing.task }), "not_found", "target_task_id");
    const chain = await makeChain(daemon);
    for (const member of ["source_task_id", "target_task_id"]) {
      const answer = await daemon.call("PATCH", `/v1/chains/${chain.id}`, { [member]: missing.task });
      expectRefusal(answer, "not_found", member);
    }
    expect((await daemon.call("GET", `/v1/chains/${chain.id}`)).json).toEqual(chain);
  });
});

describe("refused without a trace:", () => {
  test("a task that follows itself", async () => {
    const [task] = await makeTasks(1);
    await expectNoTrace("target_task_id", () => link(task, task));
    const chain = await makeChain(daemon);
    const patch = (body: object) => daemon.call("PATCH", `/v1/chains/${chain.id}`, body);
    await expectNoTrace("source_task_id", () => patch({ source_task_id: chain.target_task_id }));
    await expectNoTrace("target_task_id", () => patch({ target_task_id: chain.source_task_id, enabled: false }));
  });

  const outcomes = ["success", "failure", "any"] as const;
  test.each(outcomes.flatMap((one) => outcomes.map((other) => [one, other] as const)))(
    "a second chain of the same tasks, where %s and %s overlap",
    async (one, other) => {
      const [source, target] = await makeTasks(2);
      const first = await linked(source, target, { on_outcome: one, enabled: false });
      if (one !== other && one !== "any" && other !== "any") {
        await linked(source, target, { on_outcome: other });
        const widened = () => daemon.call("PATCH", `/v1/chains/${first.id}`, { on_outcome: "any" });
        expect(await expectNoTrace("on_outcome", widened)).toContain("already exists");
      } else {
        const message = await expectNoTrace("target_task_id", () => link(source, target, { on_outcome: other }));
        expect(message).toContain(first.id);
      }
    },
  );

  test("a chain back, directly or through other tasks, even if the cycle contains a disabled chain", async () => {
    const [a, b, c, d] = await makeTasks(4);
    await linked(a, b);
    await expectNoTrace("target_task_id", () => link(b, a, { on_outcome: "failure" }));
    await linked(b, c, { enabled: false });
    await linked(c, d, { on_outcome: "failure" });
    const message = await expectNoTrace("target_task_id", () => link(d, a, { enabled: false }));
    expect(message).toContain([d, a, b, c, d].map(({ name }) => JSON.stringify(name)).join(" → "));
  });

  test("a cycle whose tasks have groups, which the error names", async () => {
    const group = await makeGroup(daemon, { name: fresh("group") });
    const [here, there] = [await makeTask(daemon), await makeTask(daemon)];
    const name = fresh("of one name");
    for (const [task, more] of [
      [here, { name }],
      [there, { name, group_id: group.id }],
    ] as const)
      expect((await daemon.call("PATCH", `/v1/tasks/${task.id}`, more)).status).toBe(200);
    await linked(here, there);
    const refused = await daemon.call("POST", "/v1/chains", {
      source_task_id: there.id,
      target_task_id: here.id,
      on_outcome: "any",
    });
    const path = `${group.name}/${name}`;
    expect(refused.json.error.message).toContain(`"${path}" → "${name}" → "${path}"`);
  });

  test("a change of either end that closes a cycle, unless only the chain's former path closes it", async () => {
    const [a, b, c] = await makeTasks(3);
    const first = await linked(a, b);
    const second = await linked(b, c);
    const patch = (body: object) => daemon.call("PATCH", `/v1/chains/${second.id}`, body);
    await expectNoTrace("target_task_id", () => patch({ target_task_id: a.id }));
    await expectNoTrace("source_task_id", () =>
      daemon.call("PATCH", `/v1/chains/${first.id}`, { source_task_id: c.id }),
    );
    // reversed: b to c becomes c to b
    expect((await patch({ source_task_id: c.id, target_task_id: b.id })).status).toBe(200);
    expect((await patch({ source_task_id: b.id, target_task_id: c.id })).status).toBe(200);
  });

  test("one chain of each pair that closes a cycle together, for a hundred pairs sent concurrently", async () => {
    for (let round = 0; round < 10; round++) {
      const pairs = await Promise.all(Array.from({ length: 10 }, () => makeTasks(3)));
      const answers = await Promise.all(
        pairs.map(async ([a, b, c]) => {
          await linked(a, b);
          const all = await Promise.all([link(b, c), link(c, a)]);
          return all.map(({ status }) => status).toSorted((one, other) => one - other);
        }),
      );
      expect(answers).toEqual(pairs.map(() => [201, 400]));
    }
  });
});

describe("the list", () => {
  test("is complete without a limit, newest first, by source and by target, and its pages stay consistent", async () => {
    await using own = await startDaemon();
    const tasks: Json[] = [];
    for (let made = 0; made < 4; made++) tasks.push(await makeTask(own));
    const made: Json[] = [];
    for (const [source, target] of [
      [0, 1],
      [0, 2],
      [1, 2],
      [2, 3],
    ] as const) {
      const body = { source_task_id: tasks[source].id, target_task_id: tasks[target].id, on_outcome: "any" };
      made.unshift((await own.call("POST", "/v1/chains", body)).json);
    }
    const idsOf = async (path: string) => (await own.call("GET", path)).json.chains.map(({ id }: Json) => id);
    expect((await own.call("GET", "/v1/chains")).json).toEqual({
      chains: [...made].sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1)),
      next_cursor: null,
    });
    expect(await idsOf(`/v1/chains?source_task_id=${tasks[0].id}`)).toHaveLength(2);
    expect(await idsOf(`/v1/chains?target_task_id=${tasks[2].id}`)).toHaveLength(2);
    expect(await idsOf(`/v1/chains?source_task_id=${tasks[0].id}&target_task_id=${tasks[2].id}`)).toHaveLength(1);
    const first = await own.call("GET", "/v1/chains?limit=3");
    await own.call("POST", "/v1/chains", {
      source_task_id: tasks[0].id,
      target_task_id: tasks[3].id,
      on_outcome: "any",
    });
    const second = await own.call("GET", `/v1/chains?limit=3&cursor=${first.json.next_cursor}`);
    const paged = [...first.json.chains, ...second.json.chains].map(({ id }: Json) => id as string);
    expect(paged).toHaveLength(made.length);
    expect(new Set(paged)).toEqual(new Set(made.map(({ id }) => id)));
    expectRefusal(
      await own.call("GET", `/v1/chains?source_task_id=${tasks[0].id}&cursor=${first.json.next_cursor}`),
      "validation_failed",
      "cursor",
    );
  });
});

describe("the graph", () => {
  test("has every source before its targets, and around one task only its own chains", async () => {
    await using own = await startDaemon();
    const named = async (name: string): Promise<Json> => makeTask(own, { name });
    const [load, left, right, report, lone] = [
      await named("load"),
      await named("left"),
      await named("right"),
      await named("report"),
      await named("lone"),
    ];
    const chains: Json[] = [];
    for (const [source, target] of [
      [load, left],
      [load, right],
      [left, report],
      [right, report],
    ]) {
      const body = { source_task_id: source.id, target_task_id: target.id, on_outcome: "success" };
      chains.push((await own.call("POST", "/v1/chains", body)).json);
    }
    const { json } = await own.call("GET", "/v1/chains/graph");
    expect(json.tasks.map(({ task_name, level }: Json) => [task_name, level])).toEqual([
      ["load", 0],
      ["left", 1],
      ["right", 1],
      ["report", 2],
    ]);
    expect(json.chains).toHaveLength(4);
    for (const chain of json.chains) expect(chains).toContainEqual(Chain.parse(chain));
    const around = (await own.call("GET", `/v1/chains/graph?task_id=${left.id}`)).json;
    expect(around.tasks.map(({ task_name }: Json) => task_name)).toEqual(["load", "left", "report"]);
    expect(around.chains).toHaveLength(2);
    expect((await own.call("GET", `/v1/chains/graph?task_id=${lone.id}`)).json).toEqual({ tasks: [], chains: [] });
  });
});

test("deleting a task deletes its chains, as source or target, with an event for each", async () => {
  const [a, b, c] = await makeTasks(3);
  const chains = [await linked(a, b), await linked(b, c), await linked(a, c)];
  expect((await daemon.call("DELETE", `/v1/tasks/${b.id}`)).status).toBe(204);
  const statuses = [];
  for (const { id } of chains) statuses.push((await daemon.call("GET", `/v1/chains/${id}`)).status);
  expect(statuses).toEqual([404, 404, 200]);
  expect(query(daemon, "PRAGMA foreign_key_check")).toEqual([]);
});

test("a task that cannot be deleted keeps its chains", async () => {
  const [a, b] = await makeTasks(2);
  const chain = await linked(a, b);
  await daemon.call("POST", `/v1/tasks/${b.id}/run`, { scheduled_for: "2990-01-01T00:00:00Z" });
  expectRefusal(await daemon.call("DELETE", `/v1/tasks/${b.id}`), "conflict");
  expect((await daemon.call("GET", `/v1/chains/${chain.id}`)).json).toEqual(chain);
});

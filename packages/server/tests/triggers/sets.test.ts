import { ManualClock, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { type Json, startDaemon } from "../support/harness.ts";
import { auditRowsOf, everything, fresh, makeTask, makeTrigger, makeTriggerSet, query } from "../support/api.ts";
import { expectRefusal } from "../support/call.ts";
import { openTestApplication } from "../support/application.ts";
import { openStream } from "../support/stream.ts";
import { fire, getTrigger } from "../support/triggers.ts";

const positions = (set: Json): number[] => set.members.map((member: Json) => member.set_position);

test("a set is created with its members in order, each with a key that fires the one task", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const made = await makeTriggerSet(daemon, { name: "Agents", count: 4 }, { concurrency: { limit: 4 } });
  const { trigger_set: set, keys } = made;
  expect(set).toMatchObject({ name: "Agents", member_count: 4, enabled_count: 4, revision: 1 });
  expect(set.members.map(({ name }: Json) => name)).toEqual(["Agents 1", "Agents 2", "Agents 3", "Agents 4"]);
  for (const [index, member] of set.members.entries()) {
    expect(member).toMatchObject({
      set_id: set.id,
      set_name: "Agents",
      set_position: index + 1,
      target_task_id: set.target_task_id,
      readiness: "ready",
      fire_count: 0,
    });
    expect(keys[index]).toEqual({
      trigger_id: member.id,
      position: index + 1,
      key: expect.stringMatching(/^bfk_/),
      command: expect.stringContaining("curl"),
    });
    expect((await fire(daemon, keys[index].key)).json).toMatchObject({
      trigger_id: member.id,
      task_id: set.target_task_id,
    });
  }
  const alone = await makeTrigger(daemon);
  for (const member of ["set_id", "set_name", "set_position"]) expect(alone.trigger).not.toHaveProperty(member);
  expect((await daemon.call("GET", "/v1/trigger-sets")).json).toEqual({
    trigger_sets: [(await daemon.call("GET", `/v1/trigger-sets/${set.id}`)).json],
    next_cursor: null,
  });
});

test("1 to 99 members are valid; 0, 100, a count together with names, and neither are refused", async () => {
  await using daemon = await openTestApplication();
  const body = { name: "Bounds", target_task_id: (await makeTask(daemon)).id };
  const names = (count: number) => Array.from({ length: count }, (_, index) => `named ${index}`);
  const before = everything(daemon, ["audit_events"]);
  for (const [more, field] of [
    [{ count: 0 }, "count"],
    [{ count: 100 }, "count"],
    [{ count: 1.5 }, "count"],
    [{ count: "3" }, "count"],
    [{ member_names: [] }, "member_names"],
    [{ member_names: names(100) }, "member_names"],
    [{ member_names: ["a", ""] }, "member_names.1"],
    [{ count: 2, member_names: ["a", "b"] }, "count"],
    [{}, "count"],
  ] as const) {
    expectRefusal(await daemon.call("POST", "/v1/trigger-sets", { ...body, ...more }), "validation_failed", field);
  }
  expect(everything(daemon, ["audit_events"])).toEqual(before);
  const largest = await daemon.call("POST", "/v1/trigger-sets", { ...body, count: 99 });
  expect([largest.status, largest.json.keys.length, positions(largest.json.trigger_set).at(-1)]).toEqual([201, 99, 99]);
  const smallest = await daemon.call("POST", "/v1/trigger-sets", { ...body, name: "One", member_names: names(1) });
  expect([smallest.status, smallest.json.trigger_set.members[0].name]).toEqual([201, "named 0"]);
});

test("one invalid name leaves no member behind, and the error names it and a remedy", async () => {
  await using daemon = await openTestApplication();
  const task = await makeTask(daemon);
  await makeTrigger(daemon, { name: "Taken 3" });
  const create = (more: object) =>
    daemon.call("POST", "/v1/trigger-sets", { name: "Taken", target_task_id: task.id, ...more });
  const before = everything(daemon, ["audit_events"]);
  expectRefusal(await create({ count: 5 }), "validation_failed", "name");
  expectRefusal(await create({ member_names: ["x", "y", "taken 3"] }), "validation_failed", "member_names.2");
  expectRefusal(await create({ member_names: ["x", "y", "X"] }), "validation_failed", "member_names.2");
  // the database would store the same replacement character for both
  expectRefusal(await create({ member_names: ["m\ud800", "m\ud801"] }), "validation_failed", "member_names.0");
  expectRefusal(await create({ name: "n".repeat(199), count: 9 }), "validation_failed", "name");
  expect(everything(daemon, ["audit_events"])).toEqual(before);
  expect((await create({ name: "n".repeat(198), count: 9 })).status).toBe(201);
  expectRefusal(await create({ name: "N".repeat(198), member_names: ["z"] }), "validation_failed", "name");
});

test("a new target applies to all members of a set, and no member alone gets a new target", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const { trigger_set: set, keys } = await makeTriggerSet(daemon);
  const other = await makeTask(daemon, { concurrency: { limit: 5 } });
  const [member] = set.members;
  const refused = await daemon.call("PATCH", `/v1/triggers/${member.id}`, { name: "new", target_task_id: other.id });
  expectRefusal(refused, "conflict", "target_task_id");
  expect(await getTrigger(daemon, member.id)).toEqual(member);
  const same = await daemon.call("PATCH", `/v1/triggers/${member.id}`, { target_task_id: set.target_task_id });
  expect([same.status, same.json]).toEqual([200, member]);
  const answer = await daemon.call("PATCH", `/v1/trigger-sets/${set.id}`, { target_task_id: other.id });
  expect(answer.json).toMatchObject({ target_task_id: other.id, target_task_name: other.name, revision: 2 });
  for (const now of answer.json.members) expect(now).toMatchObject({ target_task_id: other.id, revision: 2 });
  for (const { key } of keys) expect((await fire(daemon, key)).json.task_id).toBe(other.id);
  expectRefusal(
    await daemon.call("PATCH", `/v1/trigger-sets/${set.id}`, { target_task_id: "tsk_00000000000000000000" }),
    "not_found",
    "target_task_id",
  );
  const renamed = await daemon.call("PATCH", `/v1/trigger-sets/${set.id}`, { name: "Renamed" });
  expect(renamed.json.members[0]).toMatchObject({ set_name: "Renamed", name: member.name, revision: 2 });
});

test("members are switched together, and a set already in that state is not changed", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const { trigger_set: set, keys } = await makeTriggerSet(daemon);
  const path = `/v1/trigger-sets/${set.id}`;
  await daemon.call("POST", `/v1/triggers/${set.members[1].id}/disable`);
  expect((await daemon.call("GET", path)).json).toMatchObject({ enabled_count: 2, member_count: 3, revision: 1 });
  const off = (await daemon.call("POST", `${path}/disable`)).json;
  expect(off).toMatchObject({ enabled_count: 0, revision: 2 });
  expect(off.members.map(({ revision }: Json) => revision)).toEqual([2, 2, 2]);
  for (const { key } of keys) expectRefusal(await fire(daemon, key), "trigger_disabled", null);
  expect((await daemon.call("POST", `${path}/disable`)).json).toEqual(off);
  expect((await daemon.call("POST", `${path}/enable`)).json).toMatchObject({ enabled_count: 3, revision: 3 });
  expect((await fire(daemon, keys[0].key)).status).toBe(202);
});

test("a member is renamed, switched, rotated, revealed and deleted alone; positions keep their gaps, and the last stays", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const { trigger_set: set, keys } = await makeTriggerSet(daemon);
  const path = `/v1/trigger-sets/${set.id}`;
  const [first, second, third] = set.members;
  expect((await daemon.call("PATCH", `/v1/triggers/${first.id}`, { name: "Alone" })).json).toMatchObject({
    name: "Alone",
    set_position: 1,
  });
  const rotated = (await daemon.call("POST", `/v1/triggers/${third.id}/rotate`)).json;
  expectRefusal(await fire(daemon, keys[2].key), "trigger_unknown", "key");
  expect((await daemon.call("POST", `/v1/triggers/${first.id}/reveal`)).json.key).toBe(keys[0].key);
  expect((await daemon.call("DELETE", `/v1/triggers/${second.id}`)).status).toBe(204);
  const now = (await daemon.call("GET", path)).json;
  expect([now.member_count, positions(now)]).toEqual([2, [1, 3]]);
  const revealed = (await daemon.call("POST", `${path}/reveal`)).json;
  expect(revealed.keys.map(({ position, key }: Json) => [position, key])).toEqual([
    [1, keys[0].key],
    [3, rotated.key],
  ]);
  expect((await daemon.call("DELETE", `/v1/triggers/${first.id}`)).status).toBe(204);
  expectRefusal(await daemon.call("DELETE", `/v1/triggers/${third.id}`), "conflict", null);
  expect((await fire(daemon, rotated.key)).status).toBe(202);
  expect((await daemon.call("DELETE", path)).status).toBe(204);
  expectRefusal(await daemon.call("GET", `/v1/triggers/${third.id}`), "not_found");
  expectRefusal(await fire(daemon, rotated.key), "trigger_unknown", "key");
  expect(query(daemon, "SELECT id FROM triggers")).toEqual([]);
});

test("a deleted member changes the revision of its set; a renamed, switched or rotated member changes only itself", async () => {
  const clock = new ManualClock();
  await using daemon = await openTestApplication({ clock });
  const { trigger_set: set } = await makeTriggerSet(daemon);
  const path = `/v1/trigger-sets/${set.id}`;
  const [first, second] = set.members;
  await clock.advance(1_000);
  await daemon.call("PATCH", `/v1/triggers/${first.id}`, { name: "Alone" });
  await daemon.call("POST", `/v1/triggers/${first.id}/disable`);
  await daemon.call("POST", `/v1/triggers/${first.id}/rotate`);
  const same = (await daemon.call("GET", path)).json;
  expect(same).toMatchObject({ revision: 1, updated_at: set.created_at, member_count: 3, enabled_count: 2 });
  const deleted = await daemon.call("DELETE", `/v1/triggers/${second.id}`);
  expect(auditRowsOf(daemon, deleted)).toMatchObject([
    { operation: "triggers.delete", resource_id: second.id, changed_fields_json: "[]" },
  ]);
  const now = await daemon.call("GET", path);
  expect(now.headers["etag"]).toBe('"2"');
  expect(now.json).toMatchObject({ revision: 2, updated_at: "2026-01-01T00:00:01.000Z", member_count: 2 });
  expectRefusal(await daemon.call("POST", `${path}/rotate`, undefined, { "If-Match": '"1"' }), "precondition_failed");
});

test("the last member stays: its refused deletion does not change the set and publishes no event", async () => {
  await using daemon = await startDaemon();
  const { trigger_set: set } = await makeTriggerSet(daemon, { count: 1 });
  await using stream = await openStream(daemon.socketPath, "/v1/events?kinds=trigger,trigger_set");
  await stream.next();
  expectRefusal(await daemon.call("DELETE", `/v1/triggers/${set.members[0].id}`), "conflict", null);
  expect((await daemon.call("GET", `/v1/trigger-sets/${set.id}`)).json).toMatchObject({ revision: 1, member_count: 1 });
  const last = (await makeTrigger(daemon)).trigger;
  await stream.until("the last event", () => stream.frames.at(-1)?.data.id === last.id);
  expect(stream.frames).toHaveLength(2);
});

test("while a set of 99 is rotated repeatedly, each reveal returns the keys of one rotation, never a mixture", async () => {
  await using daemon = await startDaemon();
  const made = await makeTriggerSet(daemon, { count: 99 });
  const path = `/v1/trigger-sets/${made.trigger_set.id}`;
  const generations = [made.keys.map(({ key }: Json) => key).join()];
  let isDone = false;
  const reveals: string[] = [];
  const prefixes: string[] = [];
  const reader = async (): Promise<void> => {
    while (!isDone) {
      const { json } = await daemon.call("POST", `${path}/reveal`);
      reveals.push(json.keys.map(({ key }: Json) => key).join());
      const { members } = (await daemon.call("GET", path)).json;
      prefixes.push(members.map(({ key_prefix: prefix }: Json) => prefix).join());
    }
  };
  const reading = Promise.all([reader(), reader(), reader()]);
  for (let count = 1; count <= 12; count++) {
    const { keys } = (await daemon.call("POST", `${path}/rotate`)).json;
    generations.push(keys.map(({ key }: Json) => key).join());
  }
  isDone = true;
  await reading;
  const publicParts = generations.map((keys) =>
    keys
      .split(",")
      .map((key: string) => key.slice(0, 12))
      .join(),
  );
  expect(reveals.filter((keys) => !generations.includes(keys))).toEqual([]);
  expect(prefixes.filter((all) => !publicParts.includes(all))).toEqual([]);
  expect(new Set(reveals).size).toBeGreaterThan(2);
});

test("a repeated creation of a set is audited as a reveal of its keys, until one of them is rotated", async () => {
  await using daemon = await openTestApplication();
  const body = { name: fresh("set"), target_task_id: (await makeTask(daemon)).id, count: 3 };
  const create = () => daemon.call("POST", "/v1/trigger-sets", body, { "Idempotency-Key": "set" });
  const first = await create();
  const again = await create();
  expect([again.status, again.json, again.headers["idempotent-replay"]]).toEqual([201, first.json, "true"]);
  expect(auditRowsOf(daemon, again)).toMatchObject([
    { operation: "trigger_sets.reveal", resource_type: "trigger_set", resource_id: first.json.trigger_set.id },
  ]);
  await daemon.call("POST", `/v1/triggers/${first.json.keys[1].trigger_id}/rotate`);
  const refused = await create();
  expectRefusal(refused, "conflict", null);
  expect(refused.text).not.toContain("bfk_");
  expect(query(daemon, "SELECT id FROM trigger_sets")).toHaveLength(1);
});

test("reveal and rotation of a set are audited under its id, without any part of a key", async () => {
  await using daemon = await openTestApplication();
  const { trigger_set: set } = await makeTriggerSet(daemon);
  const path = `/v1/trigger-sets/${set.id}`;
  const row = { resource_type: "trigger_set", resource_id: set.id, result: "allowed" };
  expect(auditRowsOf(daemon, await daemon.call("POST", `${path}/reveal`))).toMatchObject([
    { ...row, operation: "trigger_sets.reveal", changed_fields_json: "[]" },
  ]);
  expect(auditRowsOf(daemon, await daemon.call("POST", `${path}/rotate`))).toMatchObject([
    { ...row, operation: "trigger_sets.rotate", changed_fields_json: '["keys"]' },
  ]);
});

test("each change is one event of the changed set or member, a deleted member two, a fire one of the run", async () => {
  await using daemon = await startDaemon();
  const task = await makeTask(daemon);
  const other = await makeTask(daemon);
  await using stream = await openStream(daemon.socketPath, "/v1/events?kinds=trigger,trigger_set,run");
  await stream.next();
  const made = (await daemon.call("POST", "/v1/trigger-sets", { name: "Told", target_task_id: task.id, count: 3 }))
    .json;
  const { id } = made.trigger_set;
  const path = `/v1/trigger-sets/${id}`;
  const [first, second] = made.trigger_set.members;
  await daemon.call("POST", `${path}/disable`);
  await daemon.call("POST", `${path}/disable`);
  await daemon.call("POST", `${path}/enable`);
  await daemon.call("POST", `${path}/rotate`);
  await daemon.call("PATCH", path, { target_task_id: other.id });
  await daemon.call("POST", `${path}/reveal`);
  await daemon.call("PATCH", `/v1/triggers/${first.id}`, { name: "Told alone" });
  const key = (await daemon.call("POST", `/v1/triggers/${first.id}/rotate`)).json.key;
  await daemon.call("DELETE", `/v1/triggers/${second.id}`);
  const fired = (await fire(daemon, key)).json;
  await stream.until("the run's end", () => stream.frames.some(({ data }) => data.verb === "ended"));
  await daemon.call("DELETE", path);
  const alone = (await daemon.call("POST", "/v1/triggers", { name: "Alone", target_task_id: task.id })).json.trigger;
  await daemon.call("DELETE", `/v1/triggers/${alone.id}`);
  await until(
    "the last event",
    () => stream.frames.at(-1)?.data.id === alone.id && stream.frames.at(-1)?.data.verb === "deleted",
  );

  const events = stream.frames.slice(1).map(({ data }) => data);
  const ofSet = (verb: string, count: number) => ({ kind: "trigger_set", verb, id, name: "Told", member_count: count });
  expect(events.filter(({ kind }) => kind === "trigger_set")).toEqual([
    ofSet("created", 3),
    ofSet("updated", 3),
    ofSet("updated", 3),
    ofSet("updated", 3),
    ofSet("updated", 3),
    ofSet("updated", 2),
    ofSet("deleted", 2),
  ]);
  expect(events.filter(({ kind }) => kind === "trigger")).toEqual([
    { kind: "trigger", verb: "updated", id: first.id, trigger: expect.objectContaining({ name: "Told alone" }) },
    { kind: "trigger", verb: "updated", id: first.id, trigger: expect.objectContaining({ id: first.id }) },
    { kind: "trigger", verb: "deleted", id: second.id },
    { kind: "trigger", verb: "created", id: alone.id, trigger: alone },
    { kind: "trigger", verb: "deleted", id: alone.id },
  ]);
  const runs = events.filter(({ kind }) => kind === "run");
  expect(new Set(runs.map((event) => event.id))).toEqual(new Set([fired.run_id]));
  expect(JSON.stringify(events)).not.toMatch(/bfk_\w{8}_/);
});

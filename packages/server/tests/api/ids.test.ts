import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Harness, startDaemon } from "../support/harness.ts";
import {
  fresh,
  makeChain,
  makeGroup,
  makeTask,
  makeTrigger,
  makeTriggerSet,
  makeWatcher,
  muchLater,
} from "../support/api.ts";
import { expectAuditedRefusal, expectRefusal, sampleOf, localOperations, send } from "../support/call.ts";

/* Ids are opaque, so no text is malformed. An unknown id is 404, and a filter by an unknown id finds nothing. */
let daemon: Harness;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

const texts = [
  "missing",
  "tsk_short",
  "tsk_00000000000000000000",
  "Nightly backup",
  "TSK_1\n",
  "../x?y#z",
  "ü\u{1f514}",
  "\0",
  "7",
];
const all = localOperations;

/** Every member of a body that names a resource, with a call of its operation. */
const references: Readonly<Record<string, (id: unknown) => Promise<readonly [string, string, object]>>> = {
  "groups.create parent_id": async (id) => ["POST", "/v1/groups", { name: fresh("g"), parent_id: id }],
  "groups.update parent_id": async (id) => ["PATCH", `/v1/groups/${(await makeGroup(daemon)).id}`, { parent_id: id }],
  "tasks.create group_id": async (id) => ["POST", "/v1/tasks", { name: fresh("t"), group_id: id }],
  "tasks.update group_id": async (id) => ["PATCH", `/v1/tasks/${(await makeTask(daemon)).id}`, { group_id: id }],
  "schedules.create task_id": async (id) => ["POST", "/v1/schedules", { task_id: id, kind: "boot" }],
  "schedules.preview schedule_id": async (id) => ["POST", "/v1/schedules/preview", { schedule_id: id }],
  "triggers.create target_task_id": async (id) => ["POST", "/v1/triggers", { name: fresh("t"), target_task_id: id }],
  "triggers.update target_task_id": async (id) => [
    "PATCH",
    `/v1/triggers/${(await makeTrigger(daemon)).trigger.id}`,
    { target_task_id: id },
  ],
  "trigger_sets.create target_task_id": async (id) => [
    "POST",
    "/v1/trigger-sets",
    { name: fresh("s"), target_task_id: id, count: 1 },
  ],
  "trigger_sets.update target_task_id": async (id) => [
    "PATCH",
    `/v1/trigger-sets/${(await makeTriggerSet(daemon)).trigger_set.id}`,
    { target_task_id: id },
  ],
  "watchers.create target_task_id": async (id) => [
    "POST",
    "/v1/filesystem-watchers",
    { name: fresh("w"), kind: "file", path: "/missing/file", target_task_id: id },
  ],
  "watchers.update target_task_id": async (id) => [
    "PATCH",
    `/v1/filesystem-watchers/${(await makeWatcher(daemon)).id}`,
    { target_task_id: id },
  ],
  "chains.create source_task_id": async (id) => [
    "POST",
    "/v1/chains",
    { source_task_id: id, target_task_id: (await makeTask(daemon)).id, on_outcome: "any" },
  ],
  "chains.create target_task_id": async (id) => [
    "POST",
    "/v1/chains",
    { source_task_id: (await makeTask(daemon)).id, target_task_id: id, on_outcome: "any" },
  ],
  "chains.update source_task_id": async (id) => [
    "PATCH",
    `/v1/chains/${(await makeChain(daemon)).id}`,
    { source_task_id: id },
  ],
  "chains.update target_task_id": async (id) => [
    "PATCH",
    `/v1/chains/${(await makeChain(daemon)).id}`,
    { target_task_id: id },
  ],
  "notification_assignments.replace_of_task assignments.0.channel_id": async (id) => [
    "PUT",
    `/v1/tasks/${(await makeTask(daemon)).id}/notifications`,
    { assignments: [{ channel_id: id, on_success: true, on_failure: true }] },
  ],
  "notification_assignments.replace_of_group assignments.0.channel_id": async (id) => [
    "PUT",
    `/v1/groups/${(await makeGroup(daemon)).id}/notifications`,
    { assignments: [{ channel_id: id, on_success: true, on_failure: true }] },
  ],
  "notification_deliveries.redeliver_failed channel_id": async (id) => [
    "POST",
    "/v1/notification-deliveries/redeliver",
    { since: muchLater, channel_id: id },
  ],
  "pairings.create actor_id": async (id) => ["POST", "/v1/access/pairings", { actor_id: id }],
  "holds.place group_id": async (id) => ["POST", "/v1/hold", { group_id: id }],
  "holds.release group_id": async (id) => ["POST", "/v1/release", { group_id: id }],
  "import.create groups.0.parent_id": async (id) => [
    "POST",
    "/v1/import",
    { groups: [{ key: "g", name: fresh("g"), parent_id: id }] },
  ],
  "import.create tasks.0.group_id": async (id) => [
    "POST",
    "/v1/import",
    { tasks: [{ key: "t", name: fresh("t"), group_id: id }] },
  ],
};
const cases = Object.entries(references).map(([name, make]) => {
  const [id = "", field = ""] = name.split(" ");
  return { name, operation: all.find((operation) => operation.id === id)!, field, make };
});

describe("a body that names an unknown resource is 404 at its member, whatever the text", () => {
  test.each(cases)("$name", async ({ operation, field, make }) => {
    for (const text of [...texts, "x".repeat(200)]) {
      const answer = await daemon.call(...(await make(text)));
      if (operation.audited) expectAuditedRefusal(daemon, operation, { answer, code: "not_found", field });
      else expectRefusal(answer, "not_found", field);
    }
  });
});

describe("an invalid id is refused: another type, an empty text, and a text over 200 characters", () => {
  test.each(cases)("$name", async ({ field, make }) => {
    for (const value of [7, true, {}, [], "", "x".repeat(201)])
      expectRefusal(await daemon.call(...(await make(value))), "validation_failed", field);
  });

  const required = cases.filter(({ field }) => !/group_id|parent_id/.test(field));
  test.each(required)("$name, and null", async ({ field, make }) => {
    expectRefusal(await daemon.call(...(await make(null))), "validation_failed", field);
  });
});

test("every body member that names a resource is in the table of this file", () => {
  const named = all.flatMap((operation) => idMembersOf(operation.body).map((field) => `${operation.id} ${field}`));
  expect(named.toSorted()).toEqual(Object.keys(references).toSorted());
});

describe("a path with an unknown id is 404, whatever the text", () => {
  const withId = all.filter(({ params }) => params !== undefined && "id" in params.shape);
  test.each(withId.map((operation) => ({ id: operation.id, operation })))("$id", async ({ operation }) => {
    const sample = await sampleOf(daemon, operation);
    const [, version, plural, , ...rest] = sample.path.split("?")[0]!.split("/");
    for (const text of [...texts, "x".repeat(2_000), "%E0%A4%A", "a%2Fb", "a/b"]) {
      const id = text.startsWith("%E0") ? text : encodeURIComponent(text);
      const path = ["", version, plural, id, ...rest].join("/");
      const answer = await send(daemon, operation, { ...sample, path });
      expectRefusal(answer, "not_found", null);
    }
  });
});

describe("a filter by an unknown id finds nothing, whatever the text", () => {
  const filters = all.flatMap((operation) =>
    Object.keys(operation.query?.shape ?? {})
      .filter((name) => name.endsWith("_id"))
      .map((name) => ({ id: operation.id, operation, name })),
  );
  test.each(filters)("$id: $name", async ({ operation, name }) => {
    for (const text of texts) {
      const period = operation.id === "timeline.get" ? "&from=2026-03-01T00:00:00Z&until=2026-03-02T00:00:00Z" : "";
      const answer = await daemon.call("GET", `/v1${operation.path}?${name}=${encodeURIComponent(text)}${period}`);
      // a graph needs an existing task
      if (operation.id === "chains.graph") expectRefusal(answer, "not_found", name);
      else if (operation.id === "schedules.agenda") expect(answer.json).toMatchObject({ entries: [], unplanned: [] });
      else if (operation.id === "timeline.get") expect(answer.json).toMatchObject({ rows: [], next_cursor: null });
      else if (operation.response.kind === "ndjson") expect([answer.status, answer.text]).toEqual([200, ""]);
      else expect(Object.values(answer.json), answer.text).toEqual([[], null]);
    }
  });
});

/** The dotted paths of id members. The first item of a list represents all its items. */
function idMembersOf(schema: z.ZodType | undefined, path: readonly string[] = []): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return idMembersOf(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodPipe) return idMembersOf(schema.out as z.ZodType, path);
  if (schema instanceof z.ZodArray) return idMembersOf(schema.element as z.ZodType, [...path, "0"]);
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option) => idMembersOf(option as z.ZodType, path)))];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, member]) => idMembersOf(member as z.ZodType, [...path, name]));
  const field = path.join(".");
  return field.endsWith("_id") && field !== "confirm_installation_id" ? [field] : [];
}

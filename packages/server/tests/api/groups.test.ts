import { limits } from "@belfry/contract";
import { ManualClock } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import type { Json } from "../support/harness.ts";
import { type Api, fresh, makeGroup, makeTask, missing } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";

function refusal(answer: { readonly status: number; readonly json: Json }) {
  return [answer.status, answer.json.error?.code, answer.json.error?.field];
}

describe("a name", () => {
  test("is trimmed, and otherwise kept as written", async () => {
    await using daemon = await openTestApplication();
    expect((await makeGroup(daemon, { name: " \t\u3000Nächtliche Sicherung \n" })).name).toBe("Nächtliche Sicherung");
    expect((await makeGroup(daemon, { name: "x".repeat(limits.nameCharactersMax) })).name).toHaveLength(200);
    expect((await makeGroup(daemon, { name: "🌙".repeat(limits.nameCharactersMax) })).name).toBe("🌙".repeat(200));
  });

  test("is not empty, not longer than 200 characters, and has no control character", async () => {
    await using daemon = await openTestApplication();
    for (const name of ["", " \u00a0\t\n", "x".repeat(201), "a\nb", "a\0b", "a\u001b[31mb", "a\u0085b", 7, null]) {
      for (const path of ["/v1/groups", "/v1/tasks"]) {
        expect(refusal(await daemon.call("POST", path, { name })), JSON.stringify(name)).toEqual([
          400,
          "validation_failed",
          "name",
        ]);
      }
    }
  });

  test("is unique in any case and Unicode composition, and free again once its group is deleted", async () => {
    await using daemon = await openTestApplication();
    const { id } = await makeGroup(daemon, { name: "Café Ångström" });
    for (const name of ["Café Ångström", "CAFÉ ÅNGSTRÖM", "Cafe\u0301 A\u030angstro\u0308m", " café ångström "]) {
      expect(refusal(await daemon.call("POST", "/v1/groups", { name })), name).toEqual([
        400,
        "validation_failed",
        "name",
      ]);
    }
    const other = await makeGroup(daemon);
    expect(refusal(await daemon.call("PATCH", `/v1/groups/${other.id}`, { name: "CAFÉ Ångström" }))).toEqual([
      400,
      "validation_failed",
      "name",
    ]);
    const recased = await daemon.call("PATCH", `/v1/groups/${id}`, { name: "CAFÉ ÅNGSTRÖM" });
    expect([recased.status, recased.json.name, recased.json.revision]).toEqual([200, "CAFÉ ÅNGSTRÖM", 2]);
    await daemon.call("DELETE", `/v1/groups/${id}`);
    expect((await daemon.call("POST", "/v1/groups", { name: "Café Ångström" })).status).toBe(201);
  });
});

describe("the tree", () => {
  async function chain(daemon: Api, depth: number): Promise<string[]> {
    const ids: string[] = [];
    for (let level = 0; level < depth; level++)
      ids.push((await makeGroup(daemon, { parent_id: ids.at(-1) ?? null })).id);
    return ids;
  }

  test("is at most 16 levels deep, for groups that are created or moved", async () => {
    await using daemon = await openTestApplication();
    const ids = await chain(daemon, limits.groupDepthMax);
    const deeper = await daemon.call("POST", "/v1/groups", { name: fresh("group"), parent_id: ids.at(-1) });
    expect(refusal(deeper)).toEqual([400, "validation_failed", "parent_id"]);
    const [top] = await chain(daemon, 2);
    expect(refusal(await daemon.call("PATCH", `/v1/groups/${top}`, { parent_id: ids[14] }))).toEqual([
      400,
      "validation_failed",
      "parent_id",
    ]);
    expect((await daemon.call("PATCH", `/v1/groups/${top}`, { parent_id: ids[13] })).status).toBe(200);
  });

  test("has no cycle", async () => {
    await using daemon = await openTestApplication();
    const ids = await chain(daemon, 3);
    for (const parent_id of ids) {
      expect(refusal(await daemon.call("PATCH", `/v1/groups/${ids[0]}`, { parent_id }))).toEqual([
        400,
        "validation_failed",
        "parent_id",
      ]);
    }
    expect((await daemon.call("GET", `/v1/groups/${ids[0]}`)).json).toMatchObject({ parent_id: null, revision: 1 });
    expect((await daemon.call("PATCH", `/v1/groups/${ids[2]}`, { parent_id: null })).json.parent_id).toBeNull();
    expect((await daemon.call("PATCH", `/v1/groups/${ids[0]}`, { parent_id: ids[2] })).status).toBe(200);
  });

  test("has no group with an unknown parent", async () => {
    await using daemon = await openTestApplication();
    const { id } = await makeGroup(daemon);
    expect(refusal(await daemon.call("POST", "/v1/groups", { name: "a", parent_id: missing.group }))).toEqual([
      404,
      "not_found",
      "parent_id",
    ]);
    expect(refusal(await daemon.call("PATCH", `/v1/groups/${id}`, { parent_id: missing.group }))).toEqual([
      404,
      "not_found",
      "parent_id",
    ]);
  });

  test("deletes only groups without groups and tasks", async () => {
    await using daemon = await openTestApplication();
    const [top, leaf] = await chain(daemon, 2);
    const task = await makeTask(daemon, { group_id: leaf });
    for (const id of [top, leaf])
      expect(refusal(await daemon.call("DELETE", `/v1/groups/${id}`))).toEqual([409, "conflict", null]);
    await daemon.call("DELETE", `/v1/tasks/${task.id}`);
    for (const id of [leaf, top]) expect((await daemon.call("DELETE", `/v1/groups/${id}`)).status).toBe(204);
    expect((await daemon.call("DELETE", `/v1/groups/${top}`)).status).toBe(404);
  });
});

test("an environment merges by name, null removes a name, and only names are shown", async () => {
  await using daemon = await openTestApplication();
  const { id, environment_names: names } = await makeGroup(daemon, { environment: { B: "1", A: "" } });
  expect(names).toEqual(["A", "B"]);
  const patch = async (environment: object) => (await daemon.call("PATCH", `/v1/groups/${id}`, { environment })).json;
  expect(await patch({ C: "3", A: null })).toMatchObject({ environment_names: ["B", "C"], revision: 2 });
  expect(await patch({ C: "3", B: "1", UNKNOWN: null })).toMatchObject({ environment_names: ["B", "C"], revision: 2 });
  expect(await patch({})).toMatchObject({ revision: 2 });
  expect(await patch({ B: null, C: null })).toMatchObject({ environment_names: [], revision: 3 });
  for (const name of ["1A", "A-B", "A B", "", "Ä", "A=B"]) {
    const answer = await daemon.call("PATCH", `/v1/groups/${id}`, { environment: { [name]: "x" } });
    expect(refusal(answer), name).toEqual([400, "validation_failed", `environment.${name}`]);
  }
  expect(refusal(await daemon.call("PATCH", `/v1/groups/${id}`, { environment: { A: "a\0b" } }))).toEqual([
    400,
    "validation_failed",
    "environment.A",
  ]);
  const longest = "x".repeat(limits.stringBytesMax);
  expect((await daemon.call("PATCH", `/v1/groups/${id}`, { environment: { A: longest } })).status).toBe(200);
  expect(refusal(await daemon.call("PATCH", `/v1/groups/${id}`, { environment: { A: `${longest}x` } }))).toEqual([
    400,
    "validation_failed",
    "environment.A",
  ]);
});

test("a revision rises by one with each change, and only then", async () => {
  const clock = new ManualClock("2026-01-01T00:00:00Z");
  await using daemon = await openTestApplication({ clock });
  const group = await makeGroup(daemon, { description: "before" });
  await clock.advance(1_000);
  const same = {
    name: group.name,
    description: "before",
    enabled: true,
    parent_id: null,
    max_concurrent_runs: null,
    time_zone: null,
    environment: {},
  };
  expect((await daemon.call("PATCH", `/v1/groups/${group.id}`, same)).json).toEqual(group);
  expect((await daemon.call("POST", `/v1/groups/${group.id}/enable`)).json).toEqual(group);
  await makeTask(daemon, { group_id: group.id });
  expect((await daemon.call("GET", `/v1/groups/${group.id}`)).json).toEqual(group);
  const changed = await daemon.call("PATCH", `/v1/groups/${group.id}`, { description: null, max_concurrent_runs: 3 });
  expect(changed.json).toEqual({
    ...group,
    description: null,
    max_concurrent_runs: 3,
    revision: 2,
    updated_at: "2026-01-01T00:00:01.000Z",
  });
  expect((await daemon.call("POST", `/v1/groups/${group.id}/disable`)).json).toMatchObject({
    enabled: false,
    revision: 3,
  });
  expect(refusal(await daemon.call("PATCH", `/v1/groups/${group.id}`, {}))).toEqual([400, "validation_failed", null]);
});

test("a time zone must exist", async () => {
  await using daemon = await openTestApplication();
  expect((await makeGroup(daemon, { time_zone: "Europe/Berlin" })).time_zone).toBe("Europe/Berlin");
  for (const time_zone of ["Europe/Atlantis", "", "../etc", "CET-1"]) {
    const answer = await daemon.call("POST", "/v1/groups", { name: fresh("group"), time_zone });
    expect(refusal(answer), time_zone).toEqual([400, "validation_failed", "time_zone"]);
  }
});

describe("the list", () => {
  test("is complete without a limit, newest first, and filtered by parent, switch and part of the name", async () => {
    const clock = new ManualClock();
    await using daemon = await openTestApplication({ clock });
    const parent = await makeGroup(daemon, { name: "Über allem" });
    const ids = [parent.id];
    for (let count = 0; count < 130; count++) {
      await clock.advance(1);
      ids.unshift((await makeGroup(daemon, { parent_id: parent.id, enabled: count % 2 === 0 })).id);
    }
    const list = async (filters: string): Promise<string[]> =>
      (await daemon.call("GET", `/v1/groups${filters}`)).json.groups.map((group: Json) => group.id);
    expect(await list("")).toEqual(ids);
    expect(await list(`?parent_id=${parent.id}`)).toEqual(ids.slice(0, -1));
    expect(await list("?parent_id=nowhere")).toEqual([]);
    expect(await list("?enabled=false")).toHaveLength(65);
    expect(await list("?enabled=true")).toHaveLength(66);
    expect(await list(`?q=${encodeURIComponent("u\u0308BER")}`)).toEqual([parent.id]);
    expect(await list("?q=%25")).toEqual([]);
    expect((await daemon.call("GET", "/v1/groups?enabled=yes")).json.error.field).toBe("enabled");
  });

  test("returns every row once over its pages, while rows are added and deleted", async () => {
    const clock = new ManualClock();
    await using daemon = await openTestApplication({ clock });
    // some created in one millisecond: their ids order them
    for (let count = 0; count < 25; count++) {
      if (count % 3 === 0) await clock.advance(1);
      await makeGroup(daemon);
    }
    const all: string[] = (await daemon.call("GET", "/v1/groups")).json.groups.map((group: Json) => group.id);
    await clock.advance(1);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { json }: Json = await daemon.call("GET", `/v1/groups?limit=4${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(json.groups.length).toBeLessThanOrEqual(4);
      seen.push(...json.groups.map((group: Json) => group.id));
      cursor = json.next_cursor;
      await makeGroup(daemon);
      if (seen.length === 8) await daemon.call("DELETE", `/v1/groups/${seen.at(-1)}`);
    }
    expect(seen).toEqual(all);
  });

  test("has no next page after its last row", async () => {
    await using daemon = await openTestApplication();
    for (let count = 0; count < 3; count++) await makeGroup(daemon);
    expect((await daemon.call("GET", "/v1/groups?limit=3")).json.next_cursor).toBeNull();
    expect((await daemon.call("GET", "/v1/groups?limit=2")).json.next_cursor).not.toBeNull();
  });

  test("returns cursors that are valid only with its own filters", async () => {
    await using daemon = await openTestApplication();
    for (let count = 0; count < 3; count++) await makeTask(daemon, { group_id: (await makeGroup(daemon)).id });
    const { json } = await daemon.call("GET", "/v1/groups?limit=1&enabled=true");
    const cursor = json.next_cursor as string;
    expect((await daemon.call("GET", `/v1/groups?enabled=true&cursor=${cursor}`)).json.groups).toHaveLength(2);
    expect((await daemon.call("GET", `/v1/groups?enabled=true&limit=1&cursor=${cursor}`)).json.groups).toHaveLength(1);
    for (const path of [
      "/v1/groups?",
      "/v1/groups?enabled=false&",
      "/v1/groups?enabled=true&q=g&",
      "/v1/tasks?enabled=true&",
    ]) {
      expect(refusal(await daemon.call("GET", `${path}cursor=${cursor}`)), path).toEqual([
        400,
        "validation_failed",
        "cursor",
      ]);
    }
  });
});

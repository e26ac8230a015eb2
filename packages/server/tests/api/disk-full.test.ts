import { catalogue, type Operation } from "@belfry/contract";
import BetterSqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { everything } from "./api.ts";
import { expectRefusal, sampleOf, seen } from "./call.ts";
import { type House, openHouse } from "./house.ts";
import type { Sample } from "./samples.ts";

/** Until not the smallest row of the trail fits: no call's row can. */
function fillDisk({ sqlite }: House): void {
  sqlite.pragma(`max_page_count = ${sqlite.pragma("page_count", { simple: true }) as number}`);
  const filler = sqlite.prepare(
    `INSERT INTO audit_events (id, at, actor_id, actor_name, transport, operation, resource_type, result, request_id, changed_fields_json, hash)
     VALUES (?, 0, '', '', 'local', '', '', 'failed', '', '', '')`,
  );
  for (let count = 0; count < 100_000; count++) {
    try {
      filler.run(count.toString(36));
    } catch (error) {
      expect(error).toMatchObject({ code: "SQLITE_FULL" });
      return;
    }
  }
  throw new Error("the disk does not fill");
}

function makeRoom({ sqlite }: House): void {
  sqlite.pragma("max_page_count = 4294967294");
  sqlite.exec("DELETE FROM audit_events WHERE request_id = ''");
}

const audited = catalogue.map(seen).filter((operation) => operation.audited);

test("with a full disk every audited call is 503, changes nothing and is told to nobody; with room it succeeds", async () => {
  await using house = await openHouse({ canRun: true });
  const calls: { readonly operation: Operation; readonly sample: Sample }[] = [];
  for (const operation of audited) calls.push({ operation, sample: await sampleOf(house, operation) });
  const told: string[] = [];
  house.hub.subscribe(null, {
    write: (frames) => {
      for (const frame of frames) if ("shared" in frame) told.push(String(frame.shared));
      return true;
    },
    end: () => {},
  });

  fillDisk(house);
  const before = everything(house);
  for (const { operation, sample } of calls) {
    const answer = await house.call(operation.method.toUpperCase(), sample.path, sample.body);
    expectRefusal(answer, "audit_unavailable", null);
    expect(everything(house), operation.id).toEqual(before);
  }
  expect((await house.call("GET", "/v1/tasks")).status).toBe(200);
  expect((await house.call("GET", "/v1/health")).status).toBe(200);
  expect(told).toEqual([]);

  makeRoom(house);
  // the reset of the identity is confirmed with it, so it comes after the rename
  for (const { operation, sample } of calls) {
    const answer = await house.call(operation.method.toUpperCase(), sample.path, sample.body);
    expect(answer.status, `${operation.id} ${answer.text}`).toBeLessThan(300);
  }
});

test("with a full disk calls that arrive together are each 503, and none takes effect", async () => {
  await using house = await openHouse({ canRun: true });
  fillDisk(house);
  const before = everything(house);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => house.call("POST", "/v1/groups", { name: `group ${index}` })),
  );
  for (const answer of answers) expectRefusal(answer, "audit_unavailable", null);
  expect(everything(house)).toEqual(before);
  makeRoom(house);
  expect((await house.call("POST", "/v1/groups", { name: "group 0" })).status).toBe(201);
});

test("with a full disk a refusal that cannot be told of in the trail is 503 too, and a plain read's is not", async () => {
  await using house = await openHouse({ canRun: true });
  fillDisk(house);
  expectRefusal(await house.call("POST", "/v1/tasks", { nonsense: 1 }), "audit_unavailable");
  expectRefusal(await house.call("POST", "/v1/groups/grp_00000000000000000000/enable"), "audit_unavailable");
  expectRefusal(await house.call("GET", "/v1/tasks/tsk_00000000000000000000/environment"), "audit_unavailable");
  expectRefusal(await house.call("GET", "/v1/tasks/tsk_00000000000000000000"), "not_found");
});

test("a database that another program holds is 503 as well, and the daemon goes on when it lets go", async () => {
  await using house = await openHouse({ canRun: true });
  house.sqlite.pragma("busy_timeout = 0");
  const other = new BetterSqlite(house.sqlite.name);
  other.exec("BEGIN IMMEDIATE");
  expectRefusal(await house.call("POST", "/v1/groups", { name: "held" }), "audit_unavailable");
  other.exec("ROLLBACK");
  other.close();
  expect((await house.call("POST", "/v1/groups", { name: "held" })).status).toBe(201);
});

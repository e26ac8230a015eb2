import { expect, test } from "vitest";
import { openTrail, type Trail } from "../support/trail.ts";

const aMinuteMs = 60_000;

function faultsOf(trail: Trail): readonly unknown[] {
  return trail.logged.filter(({ event }) => event === "audit.tampered").map(({ fields }) => fields["fault"]);
}

/** Appends a row that is valid by itself, as a program without the key can: with the right previous hash and hash. */
function appendForged(trail: Trail): { readonly number: number; readonly hash: string } {
  const [newest] = trail.rows().slice(-1);
  const forged = trail.forge({ ...newest!, id: "aud_forged", previous_hash: newest!["hash"]! });
  return { number: Number(forged["number"]), hash: String(forged["hash"]) };
}

test("the head is written with each row, and the next daemon continues from it", async () => {
  await using trail = await openTrail();
  expect(trail.audit.chain()).toMatchObject({ number: 0, hash: null, anchor: null, tamperedAt: null });
  trail.record(3);
  expect(trail.audit.head()).toEqual({ number: 3, hash: trail.rows()[2]!["hash"] });
  const next = trail.open();
  expect(next.chain()).toEqual({
    number: 3,
    hash: trail.rows()[2]!["hash"],
    authenticatedSince: trail.begunAt,
    anchor: null,
    tamperedAt: null,
  });
  expect(faultsOf(trail)).toEqual([]);
});

const changes: readonly (readonly [what: string, fault: string, change: (trail: Trail) => void])[] = [
  [
    "the newest row is removed",
    "newest_row_is_not_the_head",
    ({ sqlite }) => sqlite.exec("DELETE FROM audit_events WHERE number = 20"),
  ],
  [
    "the oldest row is removed",
    "oldest_row_does_not_follow_the_anchor",
    ({ sqlite }) => sqlite.exec("DELETE FROM audit_events WHERE number = 1"),
  ],
  ["all rows are removed", "newest_row_is_not_the_head", ({ sqlite }) => sqlite.exec("DELETE FROM audit_events")],
  ["a valid row is appended", "newest_row_is_not_the_head", (trail) => appendForged(trail)],
  [
    "a valid row is appended and the head moved to it",
    "head_changed",
    (trail) => {
      const { number, hash } = appendForged(trail);
      trail.sqlite.prepare("UPDATE audit_head SET number = ?, hash = ?").run(number, hash);
    },
  ],
  ["the code of the head is cleared", "head_changed", ({ sqlite }) => sqlite.exec("UPDATE audit_head SET mac = x''")],
  ["the head is removed", "head_missing", ({ sqlite }) => sqlite.exec("DELETE FROM audit_head")],
  [
    "the whole trail is removed",
    "head_missing",
    ({ sqlite }) => sqlite.exec("DELETE FROM audit_head; DELETE FROM audit_events; DELETE FROM audit_anchor"),
  ],
  [
    "the oldest rows are removed and an anchor is invented",
    "anchor_changed",
    (trail) => {
      const { hash } = trail.rows()[4]!;
      trail.sqlite.exec("DELETE FROM audit_events WHERE number <= 5");
      trail.sqlite
        .prepare("INSERT INTO audit_anchor (id, number, hash, mac) VALUES (1, 5, ?, (SELECT mac FROM audit_head))")
        .run(hash);
    },
  ],
  [
    "a row is moved out of the sequence",
    "newest_row_is_not_the_head",
    ({ sqlite }) => sqlite.exec("UPDATE audit_events SET number = 900 WHERE number = 7"),
  ],
];

test.each(changes)("if %s, a running daemon and the next one find it: %s", async (_what, fault, change) => {
  for (const isRunning of [true, false]) {
    await using trail = await openTrail();
    trail.record(20);
    await trail.clock.advance(aMinuteMs);
    change(trail);
    const audit = isRunning ? trail.audit : trail.open();
    const foundAt = trail.clock.now();
    expect(audit.chain().tamperedAt).toBe(foundAt);
    expect(faultsOf(trail)).toEqual([fault]);
    await trail.turn();
    // later rows do not clear it, nor does the next daemon
    await trail.clock.advance(aMinuteMs);
    trail.record(5, audit);
    expect(trail.open().chain().tamperedAt).toBe(foundAt);
  }
});

test("a row that follows a forged one continues the true chain", async () => {
  await using trail = await openTrail();
  trail.record(20);
  const head = trail.audit.head();
  const forged = appendForged(trail);
  trail.record(1);
  expect(trail.rows().at(-1)).toMatchObject({ number: forged.number + 1, previous_hash: head!.hash });
  expect(faultsOf(trail)).toEqual(["number_skipped"]);
});

test("exchanged numbers of two rows are found by a list of them, whatever its limit", async () => {
  for (const limit of [1, 3, 100]) {
    await using trail = await openTrail();
    trail.record(20);
    trail.sqlite.exec(
      "UPDATE audit_events SET number = -1 WHERE number = 5; UPDATE audit_events SET number = 5 WHERE number = 15; UPDATE audit_events SET number = 15 WHERE number = -1",
    );
    trail.walk(limit);
    expect(faultsOf(trail)).toEqual(["rows_out_of_order"]);
  }
});

test("a row that is missing in the middle is found by a list of all rows, whatever its limit", async () => {
  for (const limit of [1, 3, 100]) {
    await using trail = await openTrail(20);
    trail.record(1_010);
    trail.sqlite.exec("DELETE FROM audit_events WHERE number = 1005");
    trail.walk(limit);
    expect(faultsOf(trail)).toEqual(["row_missing"]);
    expect(trail.logged.find(({ event }) => event === "audit.tampered")!.fields).toMatchObject({ number: 1_005 });
  }
});

test("a row that is missing in the middle is found by the ends of the chain, and by the next daemon", async () => {
  for (const isRunning of [true, false]) {
    await using trail = await openTrail(20);
    trail.record(1_010);
    trail.sqlite.exec("DELETE FROM audit_events WHERE number = 1005");
    const audit = isRunning ? trail.audit : trail.open();
    expect(audit.chain().tamperedAt).toBe(trail.clock.now());
    expect(faultsOf(trail)).toEqual(["rows_miscounted"]);
  }
});

test("a list of all rows finds that the newest or the oldest one was removed", async () => {
  for (const [number, faults] of [
    [20, ["newest_row_is_not_the_head"]],
    [1, ["oldest_row_does_not_follow_the_anchor", "row_missing"]],
  ] as const) {
    await using trail = await openTrail();
    trail.record(20);
    trail.sqlite.exec(`DELETE FROM audit_events WHERE number = ${number}`);
    trail.walk(7);
    expect(faultsOf(trail)).toEqual(faults);
  }
});

test("rows that are missing when they would be pruned are found", async () => {
  await using trail = await openTrail(10);
  trail.record(999);
  trail.sqlite.exec("DELETE FROM audit_events WHERE number = 500");
  trail.record(1);
  expect(faultsOf(trail)).toEqual(["pruned_rows_missing"]);
});

test("pruning, clock steps and undone writes are no tampering", async () => {
  await using trail = await openTrail(100);
  for (let count = 0; count < 25; count++) {
    trail.record(100);
    expect(() =>
      trail.write((unit) => {
        trail.audit.record(unit, trail.entry("undone"));
        throw new Error("undone");
      }),
    ).toThrow("undone");
    trail.clock.jump(-3_600_000);
    trail.walk(30);
    expect(trail.audit.chain().tamperedAt).toBeNull();
  }
  expect(trail.open().chain()).toMatchObject({ number: 2_500, anchor: { number: 1_900 }, tamperedAt: null });
  expect(faultsOf(trail)).toEqual([]);
});

test("a trail from before the marks gets them once, as it is", async () => {
  await using trail = await openTrail(10, { rowsBefore: 1_005 });
  const newest = trail.rows().at(-1)!;
  expect(trail.audit.head()).toEqual({ number: 1_005, hash: newest["hash"] });
  expect(trail.audit.chain()).toMatchObject({ authenticatedSince: trail.begunAt, tamperedAt: null });
  trail.record(1);
  expect(trail.rows().at(-1)!["previous_hash"]).toBe(newest["hash"]);
  expect(trail.open().chain().tamperedAt).toBeNull();
});

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { openTrail, type Trail } from "../../../tests/support/trail.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";

/** Finds the first row that breaks the hash chain after a known hash. Null if the chain is intact to the newest row. */
function firstBreak(rows: ReturnType<Trail["rows"]>, from: string | null): number | null {
  let previous = from;
  for (const row of rows) {
    const { number, hash, previous_hash: recordedPrevious, changed_fields_json: changed, at, ...rest } = row;
    const event = {
      ...rest,
      at: new Date(Number(at)).toISOString(),
      changed_fields: JSON.parse(String(changed)) as string[],
    };
    const members = Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = `{${members.map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join(",")}}`;
    const expected = createHash("sha256")
      .update(previous ?? "")
      .update(text)
      .digest("hex");
    if (recordedPrevious !== previous || hash !== expected) return Number(number);
    previous = hash;
  }
  return null;
}

test("each row contains the hash of the row before it, and the first row contains none", async () => {
  await using trail = await openTrail();
  trail.record(20);
  const rows = trail.rows();
  expect(rows[0]!["previous_hash"]).toBeNull();
  expect(firstBreak(rows, null)).toBeNull();
  expect(trail.audit.head()?.hash).toBe(rows.at(-1)!["hash"]);
});

test("a changed, removed or inserted row breaks the chain", async () => {
  await using trail = await openTrail();
  trail.record(20);
  const rows = trail.rows();
  for (const column of [
    "id",
    "actor_id",
    "actor_name",
    "operation",
    "resource_id",
    "result",
    "error_code",
    "request_id",
  ]) {
    const touched = rows.map((row, index) => (index === 7 ? { ...row, [column]: "other" } : row));
    expect(firstBreak(touched, null), column).toBe(8);
  }
  expect(firstBreak(rows.toSpliced(7, 1), null)).toBe(9);
  expect(firstBreak(rows.toSpliced(7, 0, rows[7]!), null)).toBe(8);
  expect(firstBreak(rows.toSpliced(0, 1), null)).toBe(2);
});

test("the oldest rows are pruned by the thousand, and the last pruned row is the anchor of the rest", async () => {
  await using trail = await openTrail(1_500);
  trail.record(1_999);
  expect([trail.rows().length, trail.anchor()]).toEqual([1_999, undefined]);
  const last = trail.rows()[499]!;
  trail.record(1);
  expect(trail.rows()).toHaveLength(1_500);
  expect(trail.anchor()).toEqual({ number: 500, hash: last["hash"] });
  expect(firstBreak(trail.rows(), trail.anchor()!.hash)).toBeNull();
  trail.record(1_000);
  expect([trail.rows().length, trail.anchor()!.number]).toEqual([1_500, 1_500]);
  expect(firstBreak(trail.rows(), trail.anchor()!.hash)).toBeNull();
});

test("a chain whose rows are all pruned continues from the anchor", async () => {
  await using trail = await openTrail(0);
  trail.record(1_000);
  expect([trail.rows().length, trail.anchor()!.number]).toEqual([0, 1_000]);
  trail.record(3);
  expect(firstBreak(trail.rows(), trail.anchor()!.hash)).toBeNull();
  expect(trail.rows()[0]!["number"]).toBe(1_001);
});

test("a write that is undone leaves no row and no gap, and prunes nothing", async () => {
  await using trail = await openTrail(10);
  trail.record(999);
  const fail = () =>
    trail.write((unit) => {
      trail.audit.record(unit, trail.entry("req_undone"));
      throw new Error("undone");
    });
  expect(fail).toThrow();
  expect([trail.rows().length, trail.anchor()]).toEqual([999, undefined]);
  trail.record(1);
  expect([trail.rows().length, trail.anchor()!.number]).toEqual([10, 990]);
  expect(firstBreak(trail.rows(), trail.anchor()!.hash)).toBeNull();
});

test("canonical JSON orders members by their UTF-16 units, and writes text as JSON does", () => {
  expect(canonicalJson({ b: null, a: "x", B: ["2", "1"], aa: 'q"\\\u0007é\u2028' })).toBe(
    '{"B":["2","1"],"a":"x","aa":"q\\"\\\\\\u0007é\u2028","b":null}',
  );
});

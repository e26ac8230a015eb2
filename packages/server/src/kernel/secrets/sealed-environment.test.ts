import { expect, test } from "vitest";
import { createSealedEnvironments } from "./sealed-environment.ts";
import { createSealing } from "./secrets.ts";

const environments = createSealedEnvironments(createSealing(Buffer.alloc(32, 1)));

test("names are shown sorted, values are sealed, and an empty environment needs no seal", () => {
  const columns = environments.sealNew("task", "tsk_1", { B: "two", A: "one" });
  expect(columns.environmentNames).toEqual(["A", "B"]);
  expect(columns.environmentSealed!.includes("one")).toBe(false);
  expect(environments.open("task", { id: "tsk_1", ...columns })).toEqual({ A: "one", B: "two" });
  expect(environments.sealNew("task", "tsk_1", {})).toEqual({ environmentNames: [], environmentSealed: null });
});

test("a seal moved to another row, or to another kind, does not open", () => {
  const columns = environments.sealNew("task", "tsk_1", { A: "1" });
  expect(() => environments.open("task", { id: "tsk_2", ...columns })).toThrow();
  expect(() => environments.open("group", { id: "tsk_1", ...columns })).toThrow();
});

test("a merge without effect returns nothing, because a fresh seal would look like a change", () => {
  const row = { id: "tsk_1", ...environments.sealNew("task", "tsk_1", { A: "1", B: "2" }) };
  expect(environments.merge("task", row, {})).toEqual({});
  expect(environments.merge("task", row, { A: "1", GONE: null })).toEqual({});
  const merged = environments.merge("task", row, { A: null, B: "3", C: "" });
  expect(merged.environmentNames).toEqual(["B", "C"]);
  expect(environments.open("task", { ...row, ...merged })).toEqual({ B: "3", C: "" });
});

test("a merge that removes the last name leaves no seal", () => {
  const row = { id: "tsk_1", ...environments.sealNew("task", "tsk_1", { A: "1" }) };
  expect(environments.merge("task", row, { A: null })).toEqual({ environmentNames: [], environmentSealed: null });
});

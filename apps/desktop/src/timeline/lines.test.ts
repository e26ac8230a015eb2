import { expect, test } from "vitest";
import { linesOf } from "./lines.ts";
import type { TimelineRow } from "./rows.ts";

function rowIn(path: string | null, name: string): TimelineRow {
  return {
    task_id: name,
    name,
    group_id: path,
    group_path: path,
    usual_duration_ms: null,
    past: { kind: "runs", runs: [] },
    future: { kind: "times", times: [] },
    unplanned: [],
  };
}

const rows = [
  rowIn(null, "loose"),
  rowIn("web", "a"),
  rowIn("web / api", "b"),
  rowIn("web / api / v2", "c"),
  rowIn("web two", "d"),
];
const textOf = (...folded: readonly string[]): readonly string[] =>
  linesOf(rows, new Set(folded)).map((line) => (line.is === "row" ? line.row.name : `[${line.path}]`));

test("each group has its name before its rows", () => {
  expect(textOf()).toEqual(["loose", "[web]", "a", "[web / api]", "b", "[web / api / v2]", "c", "[web two]", "d"]);
});

test("a folded group hides the groups below it too, and no other group with a similar name", () => {
  expect(textOf("web")).toEqual(["loose", "[web]", "[web two]", "d"]);
  expect(textOf("web / api")).toEqual(["loose", "[web]", "a", "[web / api]", "[web two]", "d"]);
  expect(textOf("web two")).toEqual(["loose", "[web]", "a", "[web / api]", "b", "[web / api / v2]", "c", "[web two]"]);
});

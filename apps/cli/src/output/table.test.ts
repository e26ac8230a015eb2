import { expect, test } from "vitest";
import { type Column, renderTable } from "./table.ts";
import { escapeUnsafe, printable, truncate, widthOf } from "./width.ts";

interface Row {
  readonly name: string;
  readonly id: string;
  readonly size: number;
}

const columns: readonly Column<Row>[] = [
  { title: "NAME", text: ({ name }) => name, isFlexible: true },
  { title: "SIZE", text: ({ size }) => String(size), isNumber: true },
  { title: "ID", text: ({ id }) => id },
];
const rows: readonly Row[] = [
  { name: "a name that is quite long", id: "tsk_1", size: 5 },
  { name: "日本語", id: "tsk_22", size: 12_345 },
];
const plain = (_: unknown, text: string): string => text;

test("columns are aligned by display width, numbers to the right", () => {
  expect(renderTable(columns, rows, { columns: 80, paint: plain })).toBe(
    [
      "NAME                        SIZE  ID",
      "a name that is quite long      5  tsk_1",
      "日本語                     12345  tsk_22",
      "",
    ].join("\n"),
  );
});

test("a table that is not for a terminal has one tab between cells, and is neither padded nor truncated", () => {
  expect(renderTable(columns, rows, { columns: null, paint: plain })).toBe(
    ["NAME\tSIZE\tID", "a name that is quite long\t5\ttsk_1", "日本語\t12345\ttsk_22", ""].join("\n"),
  );
});

test("a narrow terminal truncates only flexible columns", () => {
  expect(renderTable(columns, rows, { columns: 30, paint: plain })).toBe(
    ["NAME              SIZE  ID", "a name that is…      5  tsk_1", "日本語           12345  tsk_22", ""].join("\n"),
  );
});

test("where the columns do not fit into one line, each row has several, and nothing is lost", () => {
  expect(renderTable(columns, rows, { columns: 26, paint: plain })).toBe(
    ["NAME", "   SIZE  ID", "a name that is quite long", "      5  tsk_1", "日本語", "  12345  tsk_22", ""].join("\n"),
  );
  const noted: readonly Column<Row>[] = [
    { title: "NAME", text: ({ name }) => name },
    { title: "NOTE", text: ({ size }) => (size === 5 ? "" : "large") },
  ];
  expect(renderTable(noted, rows, { columns: 26, paint: plain })).toBe(
    "NAME\n  NOTE\na name that is quite long\n日本語\n  large\n",
  );
  for (const line of renderTable(columns, rows, { columns: 12, paint: plain }).split("\n"))
    expect(widthOf(line)).toBeLessThanOrEqual(12);
});

test("an offset that all times share is shown once", () => {
  const times: readonly Column<string | null>[] = [{ title: "WHEN", text: (at) => at, isTime: true }];
  const zone = process.env["TZ"];
  process.env["TZ"] = "Europe/Berlin";
  try {
    expect(renderTable(times, ["2026-11-21T13:00:00Z", null], { columns: null, paint: plain })).toBe(
      "WHEN +01:00\n2026-11-21 14:00:00\n-\n",
    );
    expect(renderTable(times, ["2026-11-21T13:00:00Z", "2026-07-01T00:00:00Z"], { columns: null, paint: plain })).toBe(
      "WHEN\n2026-11-21 14:00:00 +01:00\n2026-07-01 02:00:00 +02:00\n",
    );
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});

test("spare columns are left out before others are truncated too much", () => {
  const spare: readonly Column<Row>[] = [...columns, { title: "BY", text: () => "schedule", isSpare: true }];
  expect(renderTable(spare, rows, { columns: 60, paint: plain })).toContain("schedule");
  expect(renderTable(spare, rows, { columns: 32, paint: plain })).not.toContain("schedule");
  // rows that need several lines anyway have room for all columns
  expect(renderTable(spare, rows, { columns: 14, paint: plain })).toContain("schedule");
});

test("columns without titles have no header", () => {
  expect(
    renderTable([{ title: "", text: ({ name }: Row) => name }], rows.slice(0, 1), { columns: null, paint: plain }),
  ).toBe("a name that is quite long\n");
});

test("a wide character takes two columns, and is never split", () => {
  expect(widthOf("日本")).toBe(4);
  expect(widthOf("e\u0301")).toBe(1);
  expect(truncate("日本語", 4)).toBe("日…");
  expect(truncate("abc", 3)).toBe("abc");
});

test("control characters and line breaks are escaped", () => {
  expect(printable("a\nb\tc\u001B[31md\u0007")).toBe("a↵b c\\x1b[31md\\x07");
});

test("bidirectional controls are escaped", () => {
  const marks = "\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069";
  const shown = String.raw`\x61c\x200e\x200f\x202a\x202b\x202c\x202d\x202e\x2066\x2067\x2068\x2069`;
  expect(printable(marks)).toBe(shown);
  expect(escapeUnsafe(`one\n\u001B[2mtwo\u001B[22m ${marks}\u2028\u009B`)).toBe(
    `one\n\u001B[2mtwo\u001B[22m ${shown}${String.raw`\x2028\x9b`}`,
  );
});

import { expect, test } from "vitest";
import type { OutputItem } from "./output-item.ts";
import { type OutputLine, readOutputLines } from "./output-lines.ts";

const end: OutputItem = { kind: "end", state: "succeeded" };
const piece = (stream: "stdout" | "stderr", data: string | Uint8Array, time?: string): OutputItem => ({
  kind: "output",
  stream,
  offset: 0,
  bytes: typeof data === "string" ? Buffer.from(data) : data,
  ...(time === undefined ? {} : { time }),
});
const line = (stream: "stdout" | "stderr", text: string, more: Partial<OutputLine> = {}): OutputLine => ({
  stream,
  time: undefined,
  text,
  isWhole: true,
  droppedBefore: 0,
  ...more,
});

test("each stream has lines of its own, with the time of their first byte", async () => {
  const items = [
    piece("stdout", "one\ntw", "T1"),
    piece("stderr", "err", "T2"),
    piece("stdout", "o\n\n", "T3"),
    piece("stderr", "or\nrest", "T4"),
    end,
  ];
  expect(await linesOf(items)).toEqual([
    line("stdout", "one", { time: "T1" }),
    line("stdout", "two", { time: "T1" }),
    line("stdout", "", { time: "T3" }),
    line("stderr", "error", { time: "T2" }),
    line("stderr", "rest", { time: "T4", isWhole: false }),
  ]);
});

test("a character that is split between pieces is whole, wherever it is split", async () => {
  const bytes = Buffer.from("Grüße 🔔\n€\n");
  for (let at = 0; at <= bytes.length; at += 1) {
    const items = [piece("stdout", bytes.subarray(0, at)), piece("stdout", bytes.subarray(at)), end];
    expect((await linesOf(items)).map(({ text }) => text)).toEqual(["Grüße 🔔", "€"]);
  }
});

test("dropped bytes end the line before them, and are counted by the line after them", async () => {
  const cut: OutputItem = { kind: "cut", stream: "stdout", from: 2, bytes: 7 };
  expect(await linesOf([piece("stdout", "be"), cut, piece("stdout", "after\n"), end])).toEqual([
    line("stdout", "be", { isWhole: false }),
    line("stdout", "after", { droppedBefore: 7 }),
  ]);
  expect(await linesOf([cut, end])).toEqual([line("stdout", "", { isWhole: false, droppedBefore: 7 })]);
});

test("a long line is yielded in parts, which do not split a character", async () => {
  const long = `${"x".repeat(65_535)}🔔${"y".repeat(70_000)}`;
  const lines = await linesOf([piece("stdout", `${long}\nnext\n`), end]);
  expect(lines.map(({ text }) => text).join("|")).toBe(
    `${long.slice(0, 65_535)}|${long.slice(65_535, 131_070)}|${long.slice(131_070)}|next`,
  );
  expect(lines.map(({ isWhole }) => isWhole)).toEqual([false, false, true, true]);
});

test("no output has no lines", async () => {
  expect(await linesOf([end])).toEqual([]);
  expect(await linesOf([piece("stdout", ""), end])).toEqual([]);
});

async function linesOf(items: readonly OutputItem[]): Promise<readonly OutputLine[]> {
  const lines: OutputLine[] = [];
  for await (const one of readOutputLines(asAsync(items))) lines.push(one);
  return lines;
}

async function* asAsync(items: readonly OutputItem[]): AsyncGenerator<OutputItem, void, undefined> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}

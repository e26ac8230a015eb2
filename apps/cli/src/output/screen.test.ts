import { expect, test } from "vitest";
import { openScreen } from "./screen.ts";

function newSink(rows?: number) {
  const written: string[] = [];
  return { written, isTTY: true, rows, write: (data: string | Uint8Array) => written.push(String(data)) };
}

test("a text is drawn over the one before, also if it is shorter", () => {
  const sink = newSink();
  const screen = openScreen(sink);
  screen?.draw("one\ntwo");
  screen?.draw("three");
  screen?.draw("four");
  expect(sink.written).toEqual([
    "one\u001B[K\ntwo\u001B[K\n\u001B[J",
    "\u001B[2A\rthree\u001B[K\n\u001B[J",
    "\u001B[1A\rfour\u001B[K\n\u001B[J",
  ]);
});

test("a text that is higher than the terminal is cut, because the cursor cannot return to its first line", () => {
  const sink = newSink(4);
  openScreen(sink)?.draw("1\n2\n3\n4\n5");
  expect(sink.written.join("")).toBe("1\u001B[K\n2\u001B[K\nand 3 more lines\u001B[K\n\u001B[J");
});

test("output that is not a terminal is no screen", () => {
  expect(openScreen({ write: () => {} })).toBeNull();
});

import { expect, test } from "vitest";
import { plain, readAnsi, textOf } from "./ansi.ts";

const spansOf = (line: string) => readAnsi(line, plain).spans.map(({ text, style }) => [text, style]);

test("a line has a piece for each style", () => {
  expect(spansOf("plain \x1b[1;31mred\x1b[22m thin\x1b[39;4m under\x1b[0m end")).toEqual([
    ["plain ", {}],
    ["red", { isBold: true, colour: "red" }],
    [" thin", { colour: "red" }],
    [" under", { isUnderlined: true }],
    [" end", {}],
  ]);
});

test("there are 16 colours for text and for its ground, and bright black is grey", () => {
  expect(spansOf("\x1b[90;44mone\x1b[97;101mtwo\x1b[49mthree\x1b[7mfour\x1b[27m\x1b[2mfive")).toEqual([
    ["one", { colour: "grey", background: "blue" }],
    ["two", { colour: "white", background: "red" }],
    ["three", { colour: "white" }],
    ["four", { colour: "white", isInverse: true }],
    ["five", { colour: "white", isDim: true }],
  ]);
});

test("the first 16 of 256 colours are shown, and the parameters of others are not read as styles", () => {
  expect(spansOf("\x1b[38;5;2mgreen\x1b[38;5;196mother\x1b[38;2;1;4;7mtrue\x1b[48;5;1;1mlast")).toEqual([
    ["green", { colour: "green" }],
    ["other", {}],
    ["true", {}],
    ["last", { background: "red", isBold: true }],
  ]);
});

test("a style lasts beyond the end of a line", () => {
  const { style } = readAnsi("\x1b[32mbegun", plain);
  expect(readAnsi("and on\x1b[m", style)).toEqual({
    spans: [{ text: "and on", style: { colour: "green" } }],
    style: {},
  });
});

test.each([
  ["a move of the cursor", "a\x1b[2K\x1b[10;20Hb"],
  ["a mode", "a\x1b[?25lb"],
  ["a title", "a\x1b]0;title\x07b"],
  ["a link, whose text stays", "\x1b]8;;javascript:alert(1)\x1b\\a\x1b]8;;\x1b\\b"],
  ["a device's command", "a\x1bP1$r0m\x1b\\b"],
  ["a character set", "a\x1b(Bb"],
  ["a sequence that is not finished", "ab\x1b[3"],
  ["a title that is not finished", "ab\x1b]0;ti"],
  ["bells, backspaces and nulls", "\x07a\x08\x00b\x7f"],
  ["a sequence of one byte", "a\x9b31mb"],
])("%s is left out", (_name, line) => {
  expect(textOf(line)).toBe("ab");
  expect(
    readAnsi(line, plain)
      .spans.map(({ text }) => text)
      .join(""),
  ).toBe("ab");
});

test("text that looks like HTML, and tabs, stay as they are", () => {
  expect(textOf("<b>&amp;\t</b>")).toBe("<b>&amp;\t</b>");
});

test("a line of a hundred thousand escapes is read at once", () => {
  const line = "\x1b[31mx\x1b]".repeat(20_000);
  const begin = performance.now();
  expect(textOf(line).length).toBeLessThan(line.length);
  expect(performance.now() - begin).toBeLessThan(5_000);
});

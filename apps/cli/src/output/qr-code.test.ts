import { expect, test } from "vitest";
import { drawQrCode } from "./qr-code.ts";

const finder = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"];
const modulesOf: Readonly<Record<string, readonly [string, string]>> = {
  " ": [" ", " "],
  "\u2580": ["#", " "],
  "\u2584": [" ", "#"],
  "\u2588": ["#", "#"],
};

/** The modules of a drawing, row by row. */
function readModules(text: string): readonly string[] {
  return text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => [0, 1].map((half) => [...line].map((character) => modulesOf[character]![half]).join("")));
}

test("a QR code is a square with three finders and a light margin", () => {
  const { columns, text } = drawQrCode("bfi1.example", { hasColors: false });
  const rows = readModules(text).slice(0, columns);
  expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([columns]));
  expect(rows).toHaveLength(columns);
  const far = columns - 9;
  for (const [top, left] of [
    [2, 2],
    [2, far],
    [far, 2],
  ] as const)
    expect(rows.slice(top, top + 7).map((row) => row.slice(left, left + 7))).toEqual(finder);
  for (const row of [...rows.slice(0, 2), ...rows.slice(-2)]) expect(row.trim()).toBe("");
});

test("on a terminal it is black on white, and each line ends with the terminal's own colors", () => {
  const [colored, uncolored] = [true, false].map((hasColors) => drawQrCode("x".repeat(800), { hasColors }));
  expect(colored!.text.replaceAll("\u001B[30;107m", "").replaceAll("\u001B[0m", "")).toBe(uncolored!.text);
  for (const line of colored!.text.split("\n").slice(0, -1))
    expect([line.startsWith("\u001B[30;107m"), line.endsWith("\u001B[0m")]).toEqual([true, true]);
  expect(colored!.columns).toBeLessThan(120);
});

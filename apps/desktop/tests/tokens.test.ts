import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const css = readFileSync(join(import.meta.dirname, "../src/styles/tokens.css"), "utf8");
const themes = ["light", "dark"] as const;
type Theme = (typeof themes)[number];

/** The colours of the file, each with its value in light and in dark. */
const colors = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
);

/** The relative luminance of WCAG 2. */
function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrastOf(one: string, other: string, theme: Theme): number {
  const [low, high] = [one, other].map((name) => luminanceOf(colors.get(name)![theme])).toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

const outcomes = ["success", "failure", "running", "waiting", "attention"];
const texts = [
  "text",
  "muted",
  "accent",
  ...outcomes,
  ...[...colors.keys()].filter((name) => name.startsWith("ansi-")),
];

describe.each(themes)("in %s", (theme) => {
  test.each(texts)("--%s can be read on every surface: 4.5 to 1", (name) => {
    for (const surface of ["page", "surface", "raised"])
      expect(contrastOf(name, surface, theme), surface).toBeGreaterThanOrEqual(4.5);
  });

  test("the text of a button can be read: 4.5 to 1", () => {
    expect(contrastOf("on-accent", "accent", theme)).toBeGreaterThanOrEqual(4.5);
    for (const name of ["text", "muted", ...outcomes])
      expect(contrastOf(name, "hover", theme), name).toBeGreaterThanOrEqual(4.5);
  });

  test("the outline of a control can be seen: 3 to 1", () => {
    for (const surface of ["page", "surface", "raised"])
      expect(contrastOf("control", surface, theme), surface).toBeGreaterThanOrEqual(3);
  });
});

test("the accent is none of the outcomes", () => {
  for (const theme of themes)
    for (const name of outcomes) expect(colors.get(name)![theme]).not.toBe(colors.get("accent")![theme]);
});

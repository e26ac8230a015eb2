import { expect, test } from "vitest";
import { compilePattern, findPatternFault } from "./pattern.ts";

const names = [
  "a",
  "a.csv",
  "b.json",
  "c.CSV",
  ".hidden",
  ".h.csv",
  "a b",
  "*",
  "[a]",
  "!a",
  "+",
  "ä",
  "a (1)",
  "!(a)",
];
const rows: readonly (readonly [pattern: string, matched: readonly string[]])[] = [
  ["*", names.filter((name) => !name.startsWith("."))],
  ["*.csv", ["a.csv"]],
  ["*.{csv,json}", ["a.csv", "b.json"]],
  ["?", ["a", "*", "+", "ä"]],
  [".*", [".hidden", ".h.csv"]],
  [".*.csv", [".h.csv"]],
  ["[ab].*", ["a.csv", "b.json"]],
  ["[!a]*.*", ["b.json", "c.CSV"]],
  ["[^a]*.*", ["b.json", "c.CSV"]],
  ["[.a]*", names.filter((name) => name.startsWith("a"))],
  ["{*.csv,.hidden}", ["a.csv", ".hidden"]],
  ["{{*.csv,x},*.json}", ["a.csv", "b.json"]],
  ["{,.h}.csv", [".h.csv"]],
  ["{,}", []],
  ["{a}", []],
  ["{a..b}.*", ["a.csv", "b.json"]],
  ["{\\{,a}", ["a"]],
  ["\\.hidden", [".hidden"]],
  ["[[:upper:]b]*", ["b.json"]],
  ["a (1)", ["a (1)"]],
  ["a [()]*", ["a (1)"]],
  ["*[)]", ["a (1)", "!(a)"]],
  ["(?=a)*", []],
  ["a b", ["a b"]],
  ["\\*", ["*"]],
  ["\\[a\\]", ["[a]"]],
  ["!a", ["!a"]],
  ["!(a)", ["!(a)"]],
  ["+(a)", []],
];
test.each(rows)("the pattern %j matches %j", (pattern, matched) => {
  expect(findPatternFault(pattern)).toBeNull();
  expect(names.filter(compilePattern(pattern))).toEqual(matched);
});

test.each(["{a", "a{b,c", "[z-a]", "a\\", "*.{csv"])("the pattern %j is refused: it is not a valid glob", (pattern) => {
  expect(findPatternFault(pattern)).toMatch(/^is not a valid glob/);
});

test.each(["*a*b*c", "{*a*b*c,*d*e*f}", "*.{tar.*,zip}*", "\\**\\*a*b", "{a,{*,b}*}*"])(
  "the pattern %j has few enough asterisks",
  (pattern) => expect(findPatternFault(pattern)).toBeNull(),
);

test.each(["*a*b*c*d", "****", "{a*b*,c}*d*", "*{a,b*{c*,d}}*", "*}*{*,*}*"])(
  "the pattern %j has too many asterisks: one name could take seconds",
  (pattern) => expect(findPatternFault(pattern)).toMatch(/^has more than 3 asterisks/),
);

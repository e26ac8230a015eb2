import { expect, test } from "vitest";
import { parseSessionEnvironment } from "./cron-environment.ts";

// each row was measured in a job of Debian's cron
const rows: readonly (readonly [line: string, value: string | null])[] = [
  ["A=plain", "plain"],
  ['A="double"', "double"],
  ["A='single'", "single"],
  ["  A=leading", "leading"],
  ["\tA=tab", "tab"],
  ["A= after", " after"],
  ["A=trailing  ", "trailing  "],
  ["export A=exported", "exported"],
  ["A=a # comment", "a "],
  ['A="a # b"', "a "],
  ['A=a"b', 'a"b'],
  ['A="a"b"', 'a"b'],
  ['A="it\'s"', "it's"],
  ['A="open', "open"],
  ['A=open"', 'open"'],
  ["A=\"mixed'", "mixed"],
  ["A=", ""],
  ['A=""', ""],
  ["A=$HOME", "$HOME"],
  ["A=x=y", "x=y"],
  ["A=dup\nA=again", "again"],
  ["A=line\\\ncontinued", "linecontinued"],
  ["# A=comment", null],
  ["A =space", null],
  ["export  A=two", null],
  ["A", null],
];
test.each(rows)("the line %j of /etc/environment gives A the value %j", (line, value) => {
  expect(parseSessionEnvironment(`${line}\n`)).toEqual(value === null ? {} : { A: value });
});

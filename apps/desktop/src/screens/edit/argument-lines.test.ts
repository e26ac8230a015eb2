import { expect, test } from "vitest";
import { argumentLinesProblem, argumentsOf, linesOfArguments } from "./argument-lines.ts";
import { argumentProblem, emptyForm } from "./task-fields.ts";

test("an argument is a line, and a JSON string only where the line could not show it", () => {
  const words = ["-c", "set -e\nmake", "", '"quoted"', 'say "hi"', "C:\\n", " a ", "\t", "\u007f"];
  const lines = ["-c", '"set -e\\nmake"', '""', '"\\"quoted\\""', 'say "hi"', "C:\\n", " a ", '"\\t"', '"\\u007f"'];
  expect(linesOfArguments(words).split("\n")).toEqual(lines);
  expect(argumentsOf(lines.join("\n"))).toEqual(words);
});

test("lines without text are no arguments", () => {
  expect(argumentsOf("")).toEqual([]);
  expect(argumentsOf("a\n\n  \nb\n")).toEqual(["a", "b"]);
});

test("a line that begins as a JSON string and is none is refused by its number, for a program alone", () => {
  const remedy = "put double quotes around it, and a backslash before each double quote and each backslash in it.";
  const said = `Line 3 begins with a double quote, but is no JSON string: ${remedy}`;
  for (const line of ['"', '"open', '"a" b', '"a\\x"']) expect(argumentLinesProblem(`a\n\n${line}\nb`)).toBe(said);
  const form = { ...emptyForm, argumentLines: '\n\n"open' };
  expect(argumentProblem({ ...form, commandKind: "exec" })).toBe(said);
  expect(argumentProblem({ ...form, commandKind: "shell" })).toBeNull();
});

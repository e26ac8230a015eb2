import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkForbiddenText } from "./forbidden-text.ts";
import { checkImports, type Violation } from "./imports.ts";
import { comparePlanted, plantedFiles, plantedProject } from "./planted.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

describe("this repository", () => {
  test("imports only what the tables allow, without cycles, and declares what it imports", () => {
    expect(checkImports(repository).map(print)).toEqual([]);
  });

  test("disables no check", () => {
    expect(checkForbiddenText(repository).map(print)).toEqual([]);
  });
});

describe("the import check reports exactly the violations that each planted file declares", () => {
  const found = checkImports(plantedProject);

  test.each(plantedFiles("imports"))("$path", ({ path, expected }) => {
    expect(comparePlanted(expected, messagesFor(found, path))).toEqual({ missed: [], surprising: [] });
  });
});

describe("the text check reports exactly the violations that each planted file declares", () => {
  const found = checkForbiddenText(plantedProject);

  test.each(plantedFiles("text"))("$path", ({ path, expected }) => {
    expect(comparePlanted(expected, messagesFor(found, path))).toEqual({ missed: [], surprising: [] });
  });
});

function messagesFor(violations: readonly Violation[], path: string): readonly string[] {
  return violations.filter(({ file }) => file === path).map(({ message }) => message);
}

function print({ file, line, message }: Violation): string {
  return `${file}:${line} ${message}`;
}

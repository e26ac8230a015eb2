import { expect, test } from "vitest";
import { matchesAct, matchesWords } from "./match-words.ts";

test("a name matches the words of a text in any order", () => {
  expect(matchesWords("Import a crontab", "crontab imp")).toBe(true);
  expect(matchesWords("Import a crontab", "import task")).toBe(false);
  expect(matchesWords("Now", "")).toBe(true);
});

test("an act matches with the name of its page, but never by that name alone", () => {
  const disable = { text: "Disable", page: "Back up the database" };
  expect(matchesAct(disable, "")).toBe(true);
  expect(matchesAct(disable, "dis")).toBe(true);
  expect(matchesAct(disable, "disable database")).toBe(true);
  expect(matchesAct(disable, "disable mirror")).toBe(false);
  expect(matchesAct(disable, "Back up the database")).toBe(false);
});

import { expect, test } from "vitest";
import { parseCrontab } from "./lines.ts";
import { nameFromComment, uniqueNames } from "./names.ts";

function nameOfLast(text: string): string | null {
  const lines = parseCrontab(text, "user");
  return nameFromComment(lines, lines.length - 1);
}

const comments: readonly (readonly [what: string, text: string, name: string | null])[] = [
  ["the line right above", "# Section\n# Nightly backup\n0 3 * * * x", "Nightly backup"],
  ["not above another job", "# Backups\n0 1 * * * a\n0 2 * * * b", null],
  ["without its decoration", "#### Backups: ####\n0 3 * * * x", "Backups"],
  ["not across an empty line", "# Header of the file\n\n0 3 * * * x", null],
  ["not across a setting", "# The path\nPATH=/bin\n0 3 * * * x", null],
  ["not the heading of the columns", "# m h  dom mon dow   command\n0 3 * * * x", null],
  ["not a drawing", "# |  |  |\n0 3 * * * x", null],
  ["not a ruler", "# -------\n0 3 * * * x", null],
  ["not a job that was switched off", "# Backup\n#0 4 * * * old\n0 3 * * * x", null],
  ["not an empty comment", "#\n0 3 * * * x", null],
  [
    "the beginning of a sentence over lines",
    "# Runs at one on Sundays, unless the moon is full,\n# as it was asked for.\n0 3 * * * x",
    "Runs at one on Sundays",
  ],
];
test.each(comments)("a job's comment is %s", (_, text, name) => {
  expect(nameOfLast(text)).toBe(name);
});

test("names that are equal for the daemon are numbered", () => {
  expect(uniqueNames(["Backup", "backup", "BACKUP", "other", "backup-2"])).toEqual([
    "Backup",
    "backup-2",
    "BACKUP-3",
    "other",
    "backup-2-2",
  ]);
});

test("a name is at most 200 characters, its number included", () => {
  const [first, second] = uniqueNames(["x".repeat(300), "x".repeat(300)]);
  expect([first?.length, second?.length]).toEqual([200, 200]);
  expect(second?.endsWith("-2")).toBe(true);
});

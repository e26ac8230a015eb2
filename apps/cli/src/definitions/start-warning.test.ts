import { expect, test } from "vitest";
import { warnOfVariable } from "./start-warning.ts";

const warn = (program: string, ...words: readonly string[]) =>
  warnOfVariable({ command: { kind: "exec", program, arguments: [...words] } });

test.each([["$HOME"], ["${HOME}/bin"], ["--keep=$KEEP"], ["-d=${DIR}"]])("the argument %s has a warning", (word) => {
  expect(warn("backup", "--all", word)).toBe(
    `Warning: the program gets ${JSON.stringify(word)} as it is, because no shell replaces the variable. To use its value, write the command with --shell`,
  );
});

test("a variable in the program has a warning", () => {
  expect(warn("$HOME/bin/backup")).toContain("$HOME/bin/backup");
});

test.each([["$HOME/bin/backup"], ["{ print $1 }"], ["$1"], ["echo $HOME"], ["a$b"], ["$"], ["price: $HOME"]])(
  "the argument %s of a shell has none",
  (word) => {
    expect(warn("/bin/sh", "-c", word)).toBeNull();
  },
);

test.each([["{ print $1 }"], ["$1"], ["a$b"], ["$"], ["price: $HOME"]])(
  "the argument %s of a program has none, because the program itself may read it",
  (word) => {
    expect(warn("awk", word)).toBeNull();
  },
);

test("a script has none, because its shell replaces variables", () => {
  expect(warnOfVariable({ command: { kind: "shell", script: "$HOME/bin/backup" } })).toBeNull();
});

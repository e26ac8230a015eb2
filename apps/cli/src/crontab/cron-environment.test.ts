import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSessionEnvironment, readCronEnvironment } from "./cron-environment.ts";

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

test("the later file wins, PATH and SHELL stay cron's, HOME and LOGNAME are omitted, and the locale may be empty", async () => {
  await using dir = await tempDir();
  const [first, second] = [join(dir.path, "environment"), join(dir.path, "locale")];
  expect(await readCronEnvironment([first, second])).toEqual({
    LANG: "",
    LC_ALL: "",
    PATH: "/usr/bin:/bin",
    SHELL: "/bin/sh",
  });
  await writeFile(first, "LANG=C\nPROXY=p\nPATH=/p\nSHELL=/s\nHOME=/h\nLOGNAME=l\n");
  await writeFile(second, 'LANG="de_DE.UTF-8"\nLC_TIME=C\n');
  expect(await readCronEnvironment([first, second])).toEqual({
    LANG: "de_DE.UTF-8",
    LC_ALL: "",
    LC_TIME: "C",
    PROXY: "p",
    PATH: "/usr/bin:/bin",
    SHELL: "/bin/sh",
  });
});

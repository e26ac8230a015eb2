import { expect, test } from "vitest";
import { splitPercent } from "./percent.ts";

// each row was measured with cron's own child_process()
const rows: readonly (readonly [command: string, script: string, standardInput: string | null])[] = [
  ["backup --all", "backup --all", null],
  ["cat%one", "cat", "one\n"],
  ["cat%one%two%", "cat", "one\ntwo\n"],
  ["cat%", "cat", null],
  ["cat%%", "cat", "\n"],
  ["date +\\%d", "date +%d", null],
  ["date +\\%d%in\\%put", "date +%d", "in%put\n"],
  ["a\\\\%b", "a\\\\", "b\n"],
  ["a%b\\\\%c", "a", "b\\%c\n"],
  ["echo a\\nb", "echo a\\nb", null],
  ["echo a\\", "echo a\\", null],
  ["cat%a\\nb\\", "cat", "a\\nb\\\n"],
];
test.each(rows)("%j runs %j with the input %j", (command, script, standardInput) => {
  expect(splitPercent(command)).toEqual({ script, standardInput });
});

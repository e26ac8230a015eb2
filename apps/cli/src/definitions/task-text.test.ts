import type { Task } from "@belfry/client";
import { expect, test } from "vitest";
import { mergeTaskText, readTaskText, writeTaskText } from "./task-text.ts";

const task = {
  id: "tsk_1",
  name: "Backup",
  group_id: "grp_1",
  group_name: "Web",
  description: null,
  command: { kind: "exec", program: "backup", arguments: ["//host", "--all"] },
  timeout: "2h",
  labels: { team: "web", old: "1" },
  readiness: "ready",
  revision: 3,
} as unknown as Task;

test("the text has every member that can be changed, with comments, and reads back as no change", () => {
  const text = writeTaskText(task);
  expect(text).toContain('  // the time limit of each attempt, such as "2h", or null\n  "timeout": "2h"');
  for (const member of ["revision", "readiness", "group_id", '"id"']) expect(text).not.toContain(member);
  expect(readTaskText(text, task)).toEqual({ patch: {}, group: undefined });
});

test("only what differs is a change; a removed member stays, and a removed label is cleared", () => {
  const text = `// a comment
{ "name": "Backup", "timeout": null, "group": "Db",
  // another
  "labels": {"team": "db"} }`;
  expect(readTaskText(text, task)).toEqual({
    patch: { timeout: null, labels: { team: "db", old: null } },
    group: "Db",
  });
});

test("what is removed from a member stays, as the first lines say", () => {
  const retention = { runs: 5_000, age: "365d", bytes: 9 } as const;
  const stored: Task = { ...task, retention };
  expect(readTaskText('{"retention": {"runs": 100}}', stored).patch).toEqual({
    retention: { ...retention, runs: 100 },
  });
  expect(readTaskText('{"retention": {"age": "365d"}}', stored).patch).toEqual({});
  const current = { ...stored, description: "theirs" };
  expect(mergeTaskText('{"retention": {"runs": 100}}', stored, current).text).toContain('"age": "365d"');
});

test("text that is no JSON object is refused", () => {
  for (const text of ["{", "[]", '"x"']) expect(() => readTaskText(text, task)).toThrow(SyntaxError);
});

test.each([
  ['{\n  "name": "Copy"\n  "timeout": null\n}', "line 3, column 3: a comma is missing"],
  ['{\n  "name": Copy\n}', "line 2, column 11: this is no value: text needs quotes"],
  ['{\n  "name": "Copy\n}', "line 2, column 11: a closing quote is missing"],
  ['{ "name": "Copy"', "line 1, column 17: a closing brace is missing"],
])("%j is refused by its line", (text, message) => {
  expect(() => readTaskText(text, task)).toThrow(new SyntaxError(message));
});

test("comments at the end of a line and trailing commas are allowed", () => {
  const text = '{\n  "timeout": null, // no limit\n  /* as before */ "name": "Backup",\n}';
  expect(readTaskText(text, task).patch).toEqual({ timeout: null });
});

test("durations are written as for the options", () => {
  const text = `{"timeout": "1h30m", "kill_grace": "2 hours", "retry": {"delay": "5min"}, "retention": {"age": "1 week"},
    "expect_success_within": null}`;
  expect(readTaskText(text, task).patch).toEqual({
    timeout: "90m",
    kill_grace: "2h",
    retry: { delay: "5m" },
    retention: { age: "7d" },
    expect_success_within: null,
  });
});

test.each([
  ['"timeout": "soon"', /^invalid duration "soon" for timeout\. Use numbers with .*1h30m or "2 hours"$/],
  ['"timeout": 90', /^invalid duration "90" for timeout\. /],
  ['"kill_grace": null', /^invalid duration "null" for kill_grace\. /],
  ['"retry": {"delay": "1x"}', /^invalid duration "1x" for retry\.delay\. /],
  ['"timeout": "9999999d"', /^duration "9999999d" for timeout is too long\. Use at most 36525d$/],
  [
    '"foo": 1',
    /^"foo" is not a member of this text: its members are name, group, description, command, timeout, labels$/,
  ],
  ['"group_id": "grp_1"', /^"group_id" is not a member of this text: give the name of the group as group$/],
  [
    '"environment": {"A": "b"}',
    /^"environment" is not a member of this text: it is secret\. Change it with belfry task edit/,
  ],
  ['"standard_input": "x"', /^"standard_input" is not a member of this text: it is secret\./],
  ['"group": 5', /^group must be the name of a group, or null$/],
])("%s is refused in the words of the text", (member, message) => {
  expect(() => readTaskText(`{${member}}`, task)).toThrow(message);
});

test("a member that the text of this caller lacks is for the daemon to judge", () => {
  expect(readTaskText('{"working_directory": "/srv"}', task).patch).toEqual({ working_directory: "/srv" });
});

test("the changes of two people are merged by member, and the text's win", () => {
  const current: Task = { ...task, description: "theirs", timeout: "5m", labels: { team: "db" }, revision: 4 };
  const text = writeTaskText(task)
    .replace('"timeout": "2h"', '"timeout": "3h"')
    .replace('"web"', '"db"')
    .replace(',\n    "old": "1"', "");
  const merged = mergeTaskText(text.replace('"name": "Backup"', '"name": "Copy"'), task, current);
  expect(merged).toMatchObject({
    theirs: ["description", "timeout", "labels"],
    both: [{ member: "timeout", value: '"5m"' }],
  });
  expect(readTaskText(merged.text, current)).toEqual({ patch: { name: "Copy", timeout: "3h" }, group: undefined });
});

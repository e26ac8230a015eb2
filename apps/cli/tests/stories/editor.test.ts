import type { Task } from "@belfry/client";
import { tempDir } from "@belfry/test-kit";
import { chmod, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

/** An editor that keeps what it is shown, and changes it with one command of sed at each opening. */
async function newEditor(...commands: readonly string[]) {
  const dir = await tempDir();
  const path = join(dir.path, "editor");
  const steps = commands.map((command, index) => `${index}) sed -i ${JSON.stringify(command)} "$1" ;;`);
  const script = `#!/bin/sh
cd ${dir.path}; n=$(ls | grep -c shown); cp "$1" "shown$n"; stat -c %a "$1" > mode
case $n in ${steps.join(" ")} esac
`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  return {
    path,
    shown: (time: number) => readFile(join(dir.path, `shown${time}`), "utf8"),
    mode: async () => (await readFile(join(dir.path, "mode"), "utf8")).trim(),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test("a task is edited as text, and what was changed is applied", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Web");
  await belfry.text("task", "add", "Deploy", "--timeout", "5m", "--label", "a=1", "--", "true");
  await using editor = await newEditor(
    String.raw`s/\"timeout\": \"5m\"/\"timeout\": \"10m\"/; s/\"group\": null/\"group\": \"web\"/`,
  );
  const edit = () => belfry.call(["task", "edit", "Deploy"], { environment: { EDITOR: editor.path } });
  expect(await edit()).toMatchObject({ code: 0, stdout: 'Changed task "Deploy"\n' });
  expect(await editor.mode()).toBe("600");
  expect(await editor.shown(0)).toContain('"timeout": "5m"');
  expect(await belfry.json<Task>("task", "show", "Deploy")).toMatchObject({
    timeout: "10m",
    group_name: "Web",
    labels: { a: "1" },
    revision: 2,
  });
  // the next opening changes nothing
  expect(await edit()).toMatchObject({ code: 0, stdout: "", stderr: "Nothing was changed\n" });
});

test("refused text comes back with the error on top, until it is accepted", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  await using editor = await newEditor(
    String.raw`s/\"priority\": 0/\"priority\": 1000/`,
    String.raw`s/\"priority\": 1000,/\"priority\": /`,
    String.raw`s/\"priority\": $/\"priority\": 5,/`,
  );
  const outcome = await belfry.call(["task", "edit", "Deploy"], { environment: { VISUAL: editor.path } });
  expect(outcome).toMatchObject({ code: 0, stdout: 'Changed task "Deploy"\n' });
  expect(await editor.shown(1)).toMatch(/^\/\/! .*priority[^]*"priority": 1000/);
  expect(await editor.shown(2)).toMatch(/^\/\/! line \d+, column \d+: a comma is missing/);
  expect((await editor.shown(2)).match(/^\/\/! /gm)).toHaveLength(1);
  expect(await belfry.json("task", "show", "Deploy")).toMatchObject({ priority: 5 });
});

test("an error speaks of what the text allows, and not of the API", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--timeout", "5m", "--", "true");
  await using editor = await newEditor(
    String.raw`s/\"5m\"/\"soon\"/`,
    String.raw`s/\"soon\"/\"1h\"/; s/\"group\": null/\"group\": null, \"environment\": {}/`,
    String.raw`s/\"environment\"/\"foo\"/`,
    String.raw`s/, \"foo\": {}//`,
  );
  expect(await belfry.call(["task", "edit", "Deploy"], { environment: { EDITOR: editor.path } })).toMatchObject({
    code: 0,
  });
  const firstLine = async (time: number) => (await editor.shown(time)).split("\n")[0];
  expect(await firstLine(1)).toMatch(/^\/\/! invalid duration "soon" for timeout\. Use numbers with .*1h30m/);
  expect(await firstLine(2)).toMatch(/^\/\/! "environment" is not a member of this text: it is secret\./);
  expect(await firstLine(3)).toMatch(/^\/\/! "foo" is not a member of this text: its members are name, group, /);
  expect(await firstLine(3)).not.toMatch(/group_id|environment|standard_input/);
  expect(await belfry.json("task", "show", "Deploy")).toMatchObject({ timeout: "1h" });
});

test("a rejected text that is saved again ends the command with the error, and the text is kept", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  const refusals = async (): Promise<number> =>
    (await belfry.json<{ audit_events: readonly unknown[] }>("audit", "list", "--operation", "tasks.update"))
      .audit_events.length;
  const same = `sed -i '/^\\/\\/!/d; s/"priority": 0/"priority": 1000/'`;
  await using quits = await newEditor(String.raw`s/\"priority\": 0/\"priority\": 1000/`);
  for (const [editor, how] of [
    [same, "saved again without a change"],
    [quits.path, "not saved again"],
  ] as const) {
    const outcome = await belfry.call(["task", "edit", "Deploy"], { environment: { EDITOR: editor } });
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    const [, kept = "", rest = ""] = /^The text that you edited is kept in (\S+)\n([^]*)$/.exec(outcome.stderr) ?? [];
    expect(rest).toMatch(new RegExp(`^belfry: .*priority.*1000?.*\\nThe text was ${how}, so nothing was changed\\n$`));
    expect(await readFile(kept, "utf8")).toContain('"priority": 1000');
    await rm(dirname(kept), { recursive: true });
  }
  expect(await refusals()).toBe(2);
  expect(await belfry.json("task", "show", "Deploy")).toMatchObject({ priority: 0 });
});

test("durations in the editor have the forms of the options, and an error names the line that the user then sees", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--timeout", "5m", "--", "true");
  await using editor = await newEditor(
    String.raw`s/\"5m\"/\"1h30m\"/; s/\"priority\": 0,/\"priority\": 0/`,
    String.raw`s/\"priority\": 0$/\"priority\": 1 2,/`,
    String.raw`s/\"priority\": 1 2,/\"priority\": 1,/`,
  );
  expect(await belfry.call(["task", "edit", "Deploy"], { environment: { EDITOR: editor.path } })).toMatchObject({
    code: 0,
  });
  for (const time of [1, 2]) {
    const shown = (await editor.shown(time)).split("\n");
    const line = Number(/line (\d+)/.exec(shown[0]!)?.[1]);
    // after a missing comma, the parser fails at the next member, behind its comment
    const failing = time === 1 ? /^ {2}"concurrency"/ : /^ {2}"priority": 1 2/;
    expect(shown[line - 1], shown[0]).toMatch(failing);
  }
  expect(await belfry.json("task", "show", "Deploy")).toMatchObject({ timeout: "90m", priority: 1 });
});

test("if the task was changed meanwhile, both changes are in the text that opens next", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  const { id } = await belfry.json<Task>("task", "show", "Deploy");
  await using dir = await tempDir();
  const path = join(dir.path, "editor");
  const change = (body: string): string =>
    `curl -sS --unix-socket ${belfry.daemon.dataDir}/belfry.sock -X PATCH -H "content-type: application/json" -d '${body}' http://belfry/v1/tasks/${id} > /dev/null`;
  const edit = async (script: string) => {
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return belfry.call(["task", "edit", "Deploy"], { environment: { EDITOR: path } });
  };
  const shown = join(dir.path, "shown");
  const merging = await edit(
    `if grep -q '^//!' "$1"; then cp "$1" ${shown}; cat ${shown} > "$1"; exit; fi
${change('{"description":"theirs","priority":7}')}; sed -i 's/"priority": 0/"priority": 5/; s/"timeout": null/"timeout": "1h"/' "$1"`,
  );
  expect(merging).toMatchObject({ code: 0, stdout: 'Changed task "Deploy"\n' });
  expect((await readFile(shown, "utf8")).split("\n").slice(0, 3)).toEqual([
    "//! Someone else has changed the task meanwhile: description, priority. Your changes are below, in the task as it is now",
    "//! You both changed priority: your value is below, and the other is 7",
    "//! Save the text to apply it, or save an empty file to change nothing",
  ]);
  expect(await belfry.json("task", "show", "Deploy")).toMatchObject({
    description: "theirs",
    priority: 5,
    timeout: "1h",
  });

  // whoever quits without saving has not agreed
  const quit = await edit(
    `if grep -q '^//!' "$1"; then exit; fi
${change('{"description":"again"}')}; sed -i 's/"priority": 5/"priority": 6/' "$1"`,
  );
  expect(quit).toMatchObject({ code: 1, stdout: "" });
  const [, kept = "", rest] = /^The text that you edited is kept in (\S+)\n([^]*)$/.exec(quit.stderr) ?? [];
  expect(rest).toBe(
    "belfry: Someone else has changed the task meanwhile: description\nThe text was not saved again, so nothing was changed\n",
  );
  expect(await readFile(kept, "utf8")).toContain('"priority": 6');
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
  await rm(dirname(kept), { recursive: true });
  expect(await belfry.json("task", "show", "Deploy")).toMatchObject({ priority: 5, description: "again" });
});

test("an editor that fails changes nothing", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  expect(await belfry.call(["task", "edit", "Deploy"], { environment: { EDITOR: "false" } })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the editor "false" failed, and nothing was changed'),
  });
});

test("what was saved before an editor failed is kept", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  const environment = { EDITOR: `sh -c 'echo "// mine" >> "$0"; exit 1'` };
  const { code, stderr } = await belfry.call(["task", "edit", "Deploy"], { environment });
  expect([code, stderr]).toEqual([1, expect.stringContaining("failed, and nothing was changed")]);
  const [, kept = ""] = /The text that you edited is kept in (\S+)/.exec(stderr) ?? [];
  expect(await readFile(kept, "utf8")).toMatch(/"priority": 0[^]*\n\/\/ mine\n$/);
  await rm(dirname(kept), { recursive: true });
});

import type { Fired, Run, Task, Trigger, TriggerSecret, TriggerSetSecrets } from "@belfry/client";
import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";
import { callBelfry } from "../call.ts";

const keyForm = /bfk_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}/;

test("a trigger is added with its key, and fired with the key from standard input or a file", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  await belfry.text("task", "add", "Deploy", "--limit", "5", "--", "true");
  const output = await belfry.text("trigger", "add", "From CI", "--task", "deploy");
  expect(output).toMatch(/^Added trigger "From CI" \(trg_\w{20}\)\nKey: bfk_/);
  expect(output).toMatch(/^ .*curl .*; } < keyfile$/m);
  const [key = ""] = keyForm.exec(output) ?? [];
  const file = join(dir.path, "ci.key");
  await writeFile(file, `${key}\n`);

  const piped = await belfry.call(["trigger", "fire"], { stdin: `${key}\n` });
  expect(piped).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^Fired the trigger \(run_\w{20}\)\./),
  });
  expect(await belfry.json<Fired>("trigger", "fire", "--key-file", file)).toMatchObject({ state: "queued" });
  expect((await belfry.call(["trigger", "fire", "--key-file", "-"], { stdin: key })).code).toBe(0);
  const waited = await belfry.call(["trigger", "fire", "--wait", "--json"], { stdin: key });
  expect(JSON.parse(waited.stdout) as Run).toMatchObject({ state: "succeeded", trigger: "external_trigger" });
  expect(await belfry.json<Trigger>("trigger", "show", "from ci")).toMatchObject({ fire_count: 4, readiness: "ready" });
  expect(await belfry.text("trigger", "show", "From CI")).toMatch(/Key +bfk_\w{8}_…\nFired +4 times, last at \d{4}-/);
});

test("at a terminal the command asks for the key, does not show it, and handles corrections", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  const { key } = await belfry.json<TriggerSecret>("trigger", "add", "CI", "--task", "Deploy");
  const raw: boolean[] = [];
  const setRawMode = (isRaw: boolean) => void raw.push(isRaw);
  const fired = await belfry.call(["trigger", "fire"], {
    columns: 80,
    typed: { setRawMode, keys: [key.slice(0, 20), "x", "\u007f", `${key.slice(20)}\r`, "later"] },
  });
  expect(fired).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Fired the trigger \(run_/) });
  expect(fired.stderr).toBe("Trigger key (not shown): \n");
  expect(raw).toEqual([true, false]);
  const givenUp = await belfry.call(["trigger", "fire"], { typed: { setRawMode, keys: ["abc", "\u0003"] } });
  expect(givenUp).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("nothing was changed") });
  expect(givenUp.stderr).not.toContain("abc");
  expect(raw).toEqual([true, false, true, false]);
  expect((await belfry.call(["trigger", "fire"], { typed: { setRawMode, keys: ["\r"] } })).code).toBe(2);
});

test("an invalid key is rejected before any request, and not repeated", async () => {
  await using belfry = await startBelfry();
  for (const stdin of ["", " \n", "two words", "one\ntwo\n"]) {
    const { code, stderr } = await belfry.call(["trigger", "fire"], { stdin });
    expect([code, stderr]).toMatchObject([2, expect.stringMatching(/trigger key/)]);
    expect(stderr).not.toContain("two");
  }
});

test("an input that is too long for a key is not read to its end", async () => {
  let given = 0;
  const endless = function* () {
    for (;;) {
      given += 1;
      yield "k".repeat(1_024);
    }
  };
  const message =
    /^belfry: (standard input|\/dev\/zero) is too long for the trigger key: the maximum is 16384 bytes\n$/;
  const piped = await callBelfry(["trigger", "fire"], { stdin: endless() });
  expect(piped).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  expect(given).toBeLessThan(100);
  const ofDevice = await callBelfry(["trigger", "fire", "--key-file", "/dev/zero"]);
  expect(ofDevice).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
});

test("a fire that starts no run is an error with its reason: 3 for an unknown key, 1 otherwise", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  const { key } = await belfry.json<TriggerSecret>("trigger", "add", "CI", "--task", "Deploy", "--disabled");
  const fire = () => belfry.call(["trigger", "fire"], { stdin: key });
  expect(await fire()).toEqual({
    code: 1,
    stdout: "",
    stderr: "belfry: the trigger is disabled: enable the trigger first\n",
  });
  expect(await belfry.text("trigger", "list")).toMatch(/CI +Deploy +- +disabled/);
  expect(await belfry.text("trigger", "enable", "CI")).toBe('Enabled trigger "CI"\n');
  await belfry.text("task", "disable", "Deploy");
  expect(await fire()).toMatchObject({ code: 1, stderr: "belfry: the task is disabled: enable the task first\n" });
  expect(await belfry.text("trigger", "list")).toMatch(/task disabled/);
  await belfry.text("task", "delete", "Deploy");
  expect(await fire()).toMatchObject({ code: 1, stderr: "belfry: the task no longer exists: choose another task\n" });
  await belfry.text("trigger", "rotate", "CI");
  const unknown = await fire();
  expect(unknown).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no trigger has this key: check the key, which may have been rotated"),
  });
  expect(unknown.stderr).not.toContain(key.slice(13));
});

test("the exit code reports a skipped or failed run", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Fails", "--shell", "exit 7");
  const { key } = await belfry.json<TriggerSecret>("trigger", "add", "CI", "--task", "Fails");
  expect((await belfry.call(["trigger", "fire", "--wait"], { stdin: key })).code).toBe(1);
  await belfry.text("task", "add", "Long", "--on-conflict", "skip", "--shell", "sleep 600");
  await belfry.text("trigger", "edit", "CI", "--task", "Long");
  expect((await belfry.call(["trigger", "fire"], { stdin: key })).code).toBe(0);
  expect(await belfry.call(["trigger", "fire"], { stdin: key })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("skipped"),
  });
});

test("a key is replaced and revealed on request, and shown nowhere else", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  const made = await belfry.json<TriggerSecret>("trigger", "add", "CI", "--task", "Deploy");
  expect(await belfry.text("trigger", "reveal", "CI", "--key-only")).toBe(`${made.key}\n`);
  const rotated = keyForm.exec(await belfry.text("trigger", "rotate", "CI"))?.[0];
  expect(rotated).not.toBe(made.key);
  expect(await belfry.json<TriggerSecret>("trigger", "reveal", "CI")).toMatchObject({ key: rotated });
  for (const words of [["list"], ["show", "CI"], ["list", "--json"], ["show", "CI", "--json"]])
    expect(await belfry.text("trigger", ...words)).not.toMatch(keyForm);
  expect(await belfry.text("trigger", "edit", "CI", "--name", "CI two")).toBe('Changed trigger "CI two"\n');
  expect(await belfry.text("trigger", "delete", "ci TWO")).toBe('Deleted trigger "CI two"\n');
  expect(await belfry.call(["trigger", "list"])).toMatchObject({ stderr: expect.stringContaining("No triggers") });
});

test("a trigger set is added, shown, disabled, edited, rotated, revealed and deleted as a unit", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  await belfry.text("task", "add", "Other", "--", "true");
  const output = await belfry.text("trigger-set", "add", "Agents", "--task", "Deploy", "--count", "3");
  expect(output).toMatch(/^Added trigger set "Agents" \(set_\w{20}\)\n/);
  expect(output.match(new RegExp(keyForm, "g"))).toHaveLength(3);
  expect(await belfry.text("trigger-set", "show", "agents")).toMatch(/^ *1 +Agents 1 +ready/m);
  expect(await belfry.text("trigger", "disable", "Agents 2")).toBe('Disabled trigger "Agents 2"\n');
  expect(await belfry.text("trigger-set", "list")).toMatch(/Agents +Deploy +3 +2 of 3 enabled/);
  expect(await belfry.text("trigger-set", "disable", "Agents")).toBe('Disabled trigger set "Agents"\n');
  expect(await belfry.text("trigger-set", "disable", "Agents")).toBe('Trigger set "Agents" is already disabled\n');
  await belfry.text("trigger-set", "enable", "Agents");
  await belfry.text("trigger-set", "edit", "Agents", "--task", "Other", "--name", "Builders");
  expect((await belfry.call(["trigger", "edit", "Agents 1", "--task", "Deploy"])).code).toBe(1);
  const rotated = await belfry.json<TriggerSetSecrets>("trigger-set", "rotate", "Builders");
  const revealed = await belfry.json<TriggerSetSecrets>("trigger-set", "reveal", "Builders");
  expect(revealed).toEqual(rotated);
  expect(revealed.trigger_set).toMatchObject({ target_task_name: "Other", enabled_count: 3 });
  expect(await belfry.text("trigger-set", "reveal", "Builders")).toContain(revealed.keys[2]!.key);
  expect(await belfry.text("trigger-set", "reveal", "Builders", "--key-only")).toBe(
    revealed.keys.map(({ key }) => `${key}\n`).join(""),
  );
  expect((await belfry.call(["trigger", "fire"], { stdin: revealed.keys[1]!.key })).code).toBe(0);
  expect(await belfry.text("trigger-set", "delete", "Builders")).toBe('Deleted trigger set "Builders"\n');
  expect((await belfry.call(["trigger-set", "show", "Builders"])).code).toBe(3);
  const named = await belfry.json<TriggerSetSecrets>(
    "trigger-set",
    "add",
    "Sites",
    "--task",
    "Deploy",
    "--member",
    "Berlin",
    "--member",
    "Oslo",
  );
  expect(named.trigger_set.members.map(({ name }) => name)).toEqual(["Berlin", "Oslo"]);
});

test("an error names the invalid option or argument", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  await belfry.text("task", "add", "Other", "--", "true");
  await belfry.text("trigger-set", "add", "Agents", "--task", "Deploy", "--count", "2");
  const cases: readonly (readonly [words: readonly string[], output: RegExp])[] = [
    [
      ["trigger-set", "add", "a".repeat(200), "--task", "Deploy", "--count", "2"],
      /^belfry: name is too long: this name, a space and the member's number must together have at most 200 characters\. Use a shorter name, or give --member$/m,
    ],
    [
      ["trigger-set", "add", "B", "--task", "Deploy", "--member", "b", "--member", ""],
      /^belfry: --member number 2 must not be empty$/m,
    ],
    [["trigger", "edit", "Agents 2", "--task", "Other"], /^belfry: --task: /],
    [
      ["trigger", "edit", "Agents 2", "--name", "Agents 1"],
      /^belfry: --name: a trigger named "Agents 1" already exists/,
    ],
    [["trigger", "add", "Agents 1", "--task", "Deploy"], /^belfry: a trigger named "Agents 1" already exists/],
  ];
  for (const [words, output] of cases) expect((await belfry.call(words)).stderr).toMatch(output);
});

test("triggers and runs of a deleted task are listed by its id", async () => {
  await using belfry = await startBelfry();
  const { task } = await belfry.json<{ task: Task }>("task", "add", "Deploy", "--", "true");
  await belfry.text("task", "run", "Deploy", "--wait");
  await belfry.text("trigger", "add", "CI", "--task", "Deploy");
  await belfry.text("trigger-set", "add", "Agents", "--task", "Deploy", "--count", "3");
  await belfry.text("trigger", "disable", "Agents 2");
  await belfry.text("task", "delete", "Deploy");
  expect(await belfry.text("trigger", "list", "--task", task.id)).toMatch(/CI +Deploy +- +target missing/);
  expect(await belfry.text("trigger-set", "list", "--task", task.id)).toMatch(
    /Deploy +3 +2 of 3 enabled, target missing/,
  );
  expect(await belfry.text("trigger-set", "show", "Agents")).toMatch(/State +2 of 3 enabled, target missing\n/);
  expect(await belfry.text("run", "list", "--task", task.id)).toMatch(/Deploy +succeeded/);
  await belfry.text("trigger", "enable", "Agents 2");
  expect(await belfry.text("trigger-set", "list")).toMatch(/ enabled, target missing/);
  // a new task can have the same name
  await belfry.text("task", "add", "Deploy", "--", "true");
  await belfry.text("trigger", "add", "CI too", "--task", "Deploy");
  expect(await belfry.text("trigger", "list")).toMatch(
    /CI too +\/Deploy +- +ready[^]*CI +Deploy \(deleted\) +- +target missing/,
  );
});

test("bidirectional controls in a name are escaped in every output", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  const name = "CI\u202Egnol";
  const { trigger } = await belfry.json<TriggerSecret>("trigger", "add", name, "--task", "Deploy");
  expect(trigger.name).toBe(name);
  const calls = [
    ["list"],
    ["show", name],
    ["disable", name],
    ["rotate", name],
    ["show", `${name}s`],
    ["add", name, "--task", "Deploy"],
  ];
  for (const words of calls) {
    const { stdout, stderr } = await belfry.call(["trigger", ...words]);
    expect(stdout + stderr).toContain(String.raw`CI\x202egnol`);
    expect(stdout + stderr).not.toContain("\u202E");
  }
});

import { connectLocal } from "@belfry/client/local";
import { tempDir, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { rewriteRows } from "../../../packages/server/tests/support/damage.ts";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { makeSamples } from "./support/all-screens.ts";
import { holdSocket } from "./support/held-socket.ts";
import { plainKeys } from "./support/keyboard.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

const shell = (script: string) => ({ kind: "shell", script }) as const;

test("the palette finds everything that has a name, the runs of a task, and a run by a part of its id", async () => {
  await using daemon = await startDaemon();
  await using place = await tempDir("palette-");
  const client = connectLocal({ socketPath: daemon.socketPath });
  const group = await client.groups.create({ name: "Nightly group" });
  const task = await client.tasks.create({ name: "Nightly backup", command: shell("true"), group_id: group.id });
  await client.triggers.create({ name: "Nightly trigger", target_task_id: task.id });
  await client.watchers.create({
    name: "Nightly watcher",
    target_task_id: task.id,
    kind: "directory",
    path: place.path,
  });
  await client.notificationChannels.create({ name: "Nightly channel", endpoint: "http://127.0.0.1:9/hook" });
  const { id } = await client.tasks.run(task.id);
  await until("the end", async () => (await client.runs.get(id)).ended_at);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const keys = plainKeys(page);
  const palette = page.getByRole("dialog", { name: "Search", exact: true });
  const option = (name: string | RegExp) => palette.getByRole("option", { name });
  /** Searches, and opens the only thing of this name. */
  const open = async (text: string, name: RegExp): Promise<void> => {
    await keys.press("Control+k");
    await keys.type(text);
    await option(name).waitFor();
    await option(name).click();
    await palette.waitFor({ state: "detached" });
  };
  await page.getByRole("link", { name: "Nightly backup" }).first().waitFor();
  await keys.press("Control+k");
  await keys.type("nightly");
  for (const name of [
    /^Nightly backup ?Nightly group/,
    /group$/,
    /trigger ?trigger$/,
    /watcher ?watcher$/,
    /channel ?channel$/,
  ])
    await option(name).first().waitFor();
  await option(/^Nightly backup: succeeded/).waitFor();
  await ui.picture("palette-names");
  await expectSound(ui);
  await keys.press("Escape");
  await palette.waitFor({ state: "detached" });

  await open("trigger", /^Nightly trigger/);
  await page.getByRole("heading", { name: "Nightly trigger", level: 1 }).waitFor();
  await open("watcher", /^Nightly watcher/);
  await page.getByRole("heading", { name: "Nightly watcher", level: 1 }).waitFor();
  await open("channel", /^Nightly channel/);
  await page.getByRole("heading", { name: "Nightly channel", level: 1 }).waitFor();
  await open("group", /^Nightly group/);
  await page.waitForURL(new RegExp(group.id));
  await page.getByRole("row", { name: /Nightly backup/ }).waitFor();
  for (const text of [id, id.slice(0, 12), id.slice(6, 20)]) {
    await page.goto(page.url().replace(/#.*/, "#/agenda"));
    await page.getByRole("heading", { name: "Agenda", level: 1 }).waitFor();
    await open(text, new RegExp(`run, ${id}`));
    await page.waitForURL(new RegExp(id));
  }
  expect(ui.errors).toEqual([]);
});

test("the palette does what the page that is shown can do, and to the row under the focus", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: shell("true") });
  await client.tasks.create({ name: "Report", command: shell("true") });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const keys = plainKeys(page);
  const palette = page.getByRole("dialog", { name: "Search", exact: true });
  const perform = async (text: string, name: string): Promise<void> => {
    await keys.press("Control+k");
    await keys.type(text);
    await palette.getByRole("option", { selected: true }).filter({ hasText: name }).waitFor();
    await keys.press("Enter");
    await palette.waitFor({ state: "detached" });
  };
  /** What changes something at once has to be chosen. */
  const performAtOnce = async (text: string, name: string): Promise<void> => {
    await keys.press("Control+k");
    await keys.type(text);
    await palette.getByRole("option", { selected: true }).filter({ hasText: "Do nothing" }).waitFor();
    await keys.press("ArrowDown");
    await palette.getByRole("option", { selected: true }).filter({ hasText: name }).waitFor();
    await keys.press("Enter");
    await palette.waitFor({ state: "detached" });
  };
  await ui.go(`/tasks/${task.id}`);
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  await keys.press("Control+k");
  for (const name of [/^Run the task/, /^Edit/, /^Disable/, /^Archive/, /^Delete/, /^Add a schedule/])
    await palette.getByRole("option", { name }).waitFor();
  await ui.picture("palette-acts");
  await expectSound(ui);
  await keys.press("Escape");
  await performAtOnce("disable backup", "Disable");
  await page.getByText("Disabled", { exact: true }).first().waitFor();
  expect((await client.tasks.get(task.id)).enabled).toBe(false);
  await keys.press("Control+k");
  await palette.getByRole("option", { name: /^Enable/ }).waitFor();
  expect(await palette.getByRole("option", { name: /^(Disable|Run the task)/ }).count()).toBe(0);
  // the name of the page alone finds the task, and does nothing to it
  await keys.type("Backup");
  await palette.getByRole("option", { selected: true }).filter({ hasText: "Backup" }).waitFor();
  expect(await palette.getByRole("option", { name: /^(Enable|Delete|Edit)/ }).count()).toBe(0);
  await keys.press("Escape");
  await performAtOnce("enable", "Enable");
  await page.getByText("Ready", { exact: true }).first().waitFor();
  await perform("run the", "Run the task");
  const dialog = page.getByRole("dialog", { name: "Run Backup now?" });
  await dialog.getByRole("button", { name: "Run" }).click();
  await page.getByRole("button", { name: "Rerun" }).waitFor();
  await page.getByText("The run exited with code 0.").waitFor();
  await perform("run the task again", "Run the task again");
  await page.getByRole("dialog", { name: "Run it again?" }).waitFor();
  await keys.press("Escape");

  await ui.go("/tasks");
  await page.getByRole("row", { name: /Report/ }).waitFor();
  await page.getByRole("heading", { level: 1 }).focus();
  await keys.press("Control+k");
  await palette.getByRole("option", { name: /^New task/ }).waitFor();
  expect(await palette.getByRole("option", { name: /under the focus/ }).count()).toBe(0);
  await keys.press("Escape");
  await page.getByRole("row", { name: /Report/ }).focus();
  await perform("edit", "Edit the task under the focus");
  await page.getByRole("heading", { name: "Edit Report" }).waitFor();
  expect(ui.errors).toEqual([]);
});

test("Enter in the palette never changes anything at once, neither without a text nor with a part of a name", async () => {
  await using daemon = await startDaemon();
  const samples = await makeSamples(daemon);
  const group = await connectLocal({ socketPath: daemon.socketPath }).groups.create({ name: "Web" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const keys = plainKeys(page);
  const palette = page.getByRole("dialog", { name: "Search", exact: true });
  const changes: string[] = [];
  page.on("request", (sent) => {
    if (sent.method() !== "GET" && sent.url().includes("/api/")) changes.push(`${sent.method()} ${sent.url()}`);
  });
  for (const [path, act] of [
    [`/access/${samples.actor}`, "Disable"],
    [`/tasks/${samples.task}`, "Archive"],
    [`/tasks?group=${group.id}`, "Disable the group"],
    [`/triggers/${samples.trigger}`, "Disable"],
    [`/watchers/${samples.watcher}`, "Disable"],
    [`/channels/${samples.channel}`, "Send a test"],
  ] as const) {
    for (const text of ["", act.slice(0, 4)]) {
      await ui.go(path);
      await page.getByRole("button", { name: "More ▾" }).waitFor();
      await keys.press("Control+k");
      await keys.type(text);
      await palette.getByRole("option", { name: act }).waitFor();
      await palette
        .getByRole("option", { selected: true })
        .filter({ hasText: text === "" ? "Now" : "Do nothing" })
        .waitFor();
      await keys.press("Enter");
      await palette.waitFor({ state: "detached" });
      if (text === "") await page.getByRole("heading", { name: "Now", exact: true, level: 1 }).waitFor();
    }
  }
  expect(changes).toEqual([]);
  expect(ui.errors).toEqual([]);
});

test("the palette says what it could not search, and searches again by itself", async () => {
  await using daemon = await startDaemon();
  await makeSamples(daemon);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const keys = plainKeys(page);
  const palette = page.getByRole("dialog", { name: "Search", exact: true });
  const status = palette.getByRole("status");
  await page.getByRole("link", { name: "Backup" }).first().waitFor();
  held.treat("cut");
  await keys.press("Control+k");
  await keys.type("deploy");
  await status.getByText("The search could not read tasks, groups, triggers, watchers and channels.").waitFor();
  expect(await palette.getByText("Nothing has this name.").count()).toBe(0);
  expect(await ui.findSeriousFaults()).toEqual([]);
  await ui.picture("palette-problem");
  held.treat("pass");
  await palette.getByRole("option", { name: /^Deploy/ }).waitFor();
  await status.getByText("could not read").waitFor({ state: "detached" });

  rewriteRows(daemon.dataDir, "ALTER TABLE filesystem_watchers RENAME TO watchers_away");
  await page.getByRole("combobox").fill("backup");
  await status.getByText("The search could not read watchers.").waitFor();
  await palette
    .getByRole("option", { name: /^Backup/ })
    .first()
    .waitFor();
  rewriteRows(daemon.dataDir, "ALTER TABLE watchers_away RENAME TO filesystem_watchers");
  await page.getByRole("combobox").fill("no such name");
  await palette.getByText("Nothing has this name.").waitFor();
  expect(await status.innerText()).toBe("");
});

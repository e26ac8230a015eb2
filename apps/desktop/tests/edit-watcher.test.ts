import { connectLocal } from "@belfry/client/local";
import { tempDir } from "@belfry/test-kit";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Harness, startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { leftEdit, openEdit, sentBy } from "./support/edit-dialog.ts";
import { holdSocket } from "./support/held-socket.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

async function addWatcher(daemon: Harness, path: string) {
  const client = connectLocal({ socketPath: daemon.socketPath });
  const add = (name: string) => client.tasks.create({ name, command: { kind: "exec", program: "true" } });
  const [load, report] = [await add("Load"), await add("Report")];
  const watcher = await client.watchers.create({
    name: "Inbox",
    kind: "directory",
    path,
    pattern: "*.csv",
    recursive: true,
    debounce: "2s",
    target_task_id: load.id,
  });
  return { client, watcher, report };
}

test("the form of a watcher begins with what it has, and sends only what was changed", async () => {
  await using daemon = await startDaemon();
  await using place = await tempDir();
  const { client, watcher, report } = await addWatcher(daemon, place.path);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/watchers");
  const form = await openEdit(ui, "Inbox");
  const save = form.getByRole("button", { name: "Save" });
  expect(await save.isDisabled()).toBe(true);
  expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("Inbox");
  expect(await form.getByLabel("Watch").inputValue()).toBe("directory");
  expect(await form.getByLabel("Path").inputValue()).toBe(place.path);
  expect(await form.getByLabel("Include subdirectories").isChecked()).toBe(true);
  await expect
    .poll(() => form.getByRole("combobox", { name: "Task to start" }).inputValue())
    .toBe(watcher.target_task_id);
  // a value that the daemon refuses stays, with the reason beside it
  await form.getByLabel("File names").fill("new/*.csv");
  await save.click();
  await form.locator("input[aria-invalid=true]").waitFor();
  expect(await form.getByLabel("File names").getAttribute("aria-invalid")).toBe("true");
  expect(await form.getByRole("alert").count()).toBe(1);
  await expectSound(ui);
  await ui.picture("edit-watcher-error");
  await form.getByLabel("File names").fill("*.{csv,json}");
  await form.getByRole("combobox", { name: "Task to start" }).selectOption(report.id);
  const sent = await sentBy(page, () => save.click());
  expect(sent).toEqual({
    body: { pattern: "*.{csv,json}", target_task_id: report.id },
    ifMatch: `"${watcher.revision}"`,
  });
  await leftEdit(ui, "Watchers");
  await page.getByRole("row", { name: /Inbox/ }).getByText("Report").waitFor();
  const { health: _, revision: __, updated_at: ___, ...kept } = watcher;
  expect(await client.watchers.get(watcher.id)).toMatchObject({
    ...kept,
    pattern: "*.{csv,json}",
    target_task_id: report.id,
    target_task_name: "Report",
  });
  await expectSound(ui);
});

test("a directory that becomes a file loses its pattern and its subdirectories, and can become a directory again", async () => {
  await using daemon = await startDaemon();
  await using place = await tempDir();
  const { client, watcher } = await addWatcher(daemon, place.path);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  await ui.go("/watchers");
  const form = await openEdit(ui, "Inbox");
  const save = form.getByRole("button", { name: "Save" });
  await form.getByLabel("Watch").selectOption("One file");
  const file = join(place.path, "orders.csv");
  await form.getByLabel("Path").fill(file);
  expect(await sentBy(ui.page, () => save.click())).toMatchObject({
    body: { kind: "file", path: file, pattern: null, recursive: false },
  });
  await leftEdit(ui, "Watchers");
  expect(await client.watchers.get(watcher.id)).toMatchObject({ kind: "file", path: file, recursive: false });
  await mkdir(join(place.path, "orders"));
  await openEdit(ui, "Inbox");
  await form.getByLabel("Watch").selectOption("A directory");
  await form.getByLabel("Path").fill(join(place.path, "orders"));
  expect(await sentBy(ui.page, () => save.click())).toMatchObject({
    body: { kind: "directory", path: join(place.path, "orders") },
  });
  await leftEdit(ui, "Watchers");
  expect(await client.watchers.get(watcher.id)).toMatchObject({ kind: "directory", pattern: "*", debounce: "2s" });
});

test("what somebody else changed in a watcher is shown, and own changes are put on top of it", async () => {
  await using daemon = await startDaemon();
  await using place = await tempDir();
  const { client, watcher, report } = await addWatcher(daemon, place.path);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/watchers");
  const form = await openEdit(ui, "Inbox");
  const save = form.getByRole("button", { name: "Save" });
  await form.getByLabel("Name", { exact: true }).fill("Incoming");
  await client.watchers.update(watcher.id, { target_task_id: report.id, pattern: "*.json" });
  await form.getByText("Somebody changed this watcher meanwhile").waitFor();
  await form.getByText("Task to start: Load becomes Report").waitFor();
  await form.getByText("File names: *.csv becomes *.json").waitFor();
  expect(await save.isDisabled()).toBe(true);
  await expectSound(ui);
  await ui.picture("edit-watcher-outdated");
  await form.getByRole("button", { name: "Go on with the newest state" }).click();
  expect(await form.getByLabel("File names").inputValue()).toBe("*.json");

  // a change that comes while this one is on its way is refused by its revision, and said in the same way
  await page.route("**/api/v1/filesystem-watchers/*", async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    await client.watchers.update(watcher.id, { recursive: false });
    return route.continue();
  });
  await save.click();
  await form.getByText("Subdirectories: included becomes not included").waitFor();
  expect(await form.getByRole("alert").count()).toBe(1);
  expect((await client.watchers.get(watcher.id)).name).toBe("Inbox");
  await page.unroute("**/api/v1/filesystem-watchers/*");
  await form.getByRole("button", { name: "Go on with the newest state" }).click();
  expect(await sentBy(page, () => save.click())).toMatchObject({ body: { name: "Incoming" } });
  await leftEdit(ui, "Watchers");
  expect(await client.watchers.get(watcher.id)).toMatchObject({
    name: "Incoming",
    pattern: "*.json",
    recursive: false,
    target_task_id: report.id,
  });
});

test("an edit of a watcher whose answer was cut off is not sent again, and its page is left when it is known to be done", async () => {
  await using daemon = await startDaemon();
  await using place = await tempDir();
  const { client, watcher } = await addWatcher(daemon, place.path);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  await ui.go("/watchers");
  const form = await openEdit(ui, "Inbox");
  const save = form.getByRole("button", { name: "Save" });
  await form.getByLabel("Name", { exact: true }).fill("Incoming");
  held.treat("cut-changes");
  await save.click();
  await form.getByText("The result is unknown").waitFor();
  expect(await save.isDisabled()).toBe(true);
  expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("Incoming");
  expect(await ui.findSeriousFaults()).toEqual([]);
  held.treat("pass");
  await form.getByRole("button", { name: "Look again" }).click();
  await form.getByText("It was done").waitFor();
  // the own change is not called somebody else's
  expect(await form.getByText("Somebody changed").count()).toBe(0);
  await form.getByRole("button", { name: "Dismiss" }).click();
  await leftEdit(ui, "Watchers");
  expect(await client.watchers.get(watcher.id)).toMatchObject({ name: "Incoming", revision: watcher.revision + 1 });
});

test("the choice of a task offers a search only where there are many, and says why there is no task to choose", async () => {
  await using daemon = await startDaemon();
  await using place = await tempDir();
  await addWatcher(daemon, place.path);
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const choice = page.getByRole("group", { name: "Task to start" });
  const search = choice.getByRole("searchbox");
  await ui.go("/watchers/new");
  await choice.getByRole("option", { name: "Report" }).waitFor({ state: "attached" });
  held.treat("hold");
  await page.reload();
  await choice.waitFor();
  expect(await search.count()).toBe(0);
  held.treat("cut");
  await choice.getByRole("alert").getByText("The daemon does not answer").waitFor();
  await choice.getByRole("button", { name: "Try again" }).waitFor();
  expect(await ui.findSeriousFaults()).toEqual([]);
  held.treat("pass");
  await choice.getByRole("option", { name: "Report" }).waitFor({ state: "attached" });
  await choice.getByRole("alert").waitFor({ state: "detached" });
  expect(await search.count()).toBe(0);
});

import { connectLocal } from "@belfry/client/local";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const command = { kind: "shell", script: "true" } as const;

test("why a task cannot start is said beside its button, also while a run is active", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script: "sleep 300" } });
  await client.tasks.run(task.id);
  await client.tasks.disable(task.id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/tasks/${task.id}`);
  await page.getByText("Running", { exact: true }).first().waitFor();
  const text = page.getByText("It cannot start now. The task is disabled.");
  await text.waitFor();
  const run = page.getByRole("button", { name: "Run", exact: true });
  expect(await run.isDisabled()).toBe(true);
  expect(await run.getAttribute("aria-describedby")).toBe(await text.getAttribute("id"));
  await expectSound(ui);
  await client.tasks.enable(task.id);
  await text.waitFor({ state: "detached" });
  expect(await run.isDisabled()).toBe(false);
});

test("a task is deleted only when it is known what goes with it", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.route("**/api/v1/filesystem-watchers*", (route) => route.fulfill({ status: 500, body: "{}" }));
  await ui.go(`/tasks/${task.id}`);
  await page.getByRole("button", { name: "More ▾" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  const remove = dialog.getByRole("button", { name: "Delete" });
  await dialog.getByLabel("Type “Backup” to confirm").fill("Backup");
  await dialog.getByRole("alert").waitFor();
  expect(await remove.isDisabled()).toBe(true);
  await expectSound(ui);
  await page.unrouteAll();
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByText("The task has no schedule or chain.").waitFor();
  await remove.click();
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
});

test("a link to a part of a task leads to its heading", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command });
  await client.schedules.create({ task_id: task.id, kind: "cron", expression: "0 4 * * *", name: "At night" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath, height: 400 });
  const { page } = ui;
  await ui.go("/agenda?days=7");
  await page.getByRole("link", { name: "At night" }).first().click();
  const heading = page.getByRole("heading", { name: "Schedules", level: 2 });
  await expect.poll(() => heading.evaluate((element) => element.matches(":focus"))).toBe(true);
  const box = await heading.boundingBox();
  expect(box!.y).toBeGreaterThanOrEqual(0);
  expect(box!.y).toBeLessThan(400);
});

test("who looks at notifications is told that there is no channel only when that is known", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.route("**/api/v1/notification-channels*", (route) => route.fulfill({ status: 500, body: "{}" }));
  await ui.go(`/tasks/${task.id}`);
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Change" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("alert").waitFor();
  expect(await dialog.getByText("There is no channel yet.").count()).toBe(0);
  await page.unrouteAll();
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByText("There is no channel yet.").waitFor();
  await expectSound(ui);
});

test("the time of a question is meant in the zone of the screens, as the answer is", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/connections");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await ui.go(`/tasks/${task.id}`);
  await page.getByLabel("Time (Asia/Tokyo)").fill("2026-07-01T06:00");
  await page.getByRole("button", { name: "Explain this time" }).click();
  await page.getByText(/^At Wed, 1 Jul 2026, 06:00:00 GMT\+9\./).waitFor();
  expect(page.url()).toContain(encodeURIComponent("2026-06-30T21:00:00.000Z"));
});

test("what can be added to a task and changed of it is in the search, for those who may", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/tasks/${task.id}`);
  await page.getByRole("button", { name: "Add a chain" }).waitFor();
  const dialog = page.getByRole("dialog");
  for (const [act, title] of [
    ["Add a chain", "Add a chain"],
    ["Change the notifications", "Notifications of this task"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill(act);
    await dialog.getByRole("option", { name: act }).click();
    await dialog.getByRole("heading", { name: title }).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  }
  await expectSound(ui);
});

test("the schedules of a task stay where they are while somebody points at them", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command });
  const add = (name: string) =>
    client.schedules.create({ task_id: task.id, kind: "cron", expression: "0 4 * * *", name });
  const first = await add("First");
  await add("Second");
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/tasks/${task.id}`);
  const rows = page.getByRole("region", { name: "Schedules" }).getByRole("listitem");
  await rows.filter({ hasText: "Second" }).waitFor();
  // what is read later, above them, moves them
  await expect.poll(() => page.getByRole("status", { name: "Loading" }).count()).toBe(0);
  await rows.filter({ hasText: "Second" }).hover();
  const before = await rows.filter({ hasText: "Second" }).boundingBox();
  await client.schedules.delete(first.id, { ifMatch: first.revision });
  await rows.filter({ hasText: "First" }).getByText("Deleted").waitFor();
  expect(await rows.filter({ hasText: "Second" }).boundingBox()).toEqual(before);
  await page.getByRole("heading", { name: "Backup", level: 1 }).hover();
  await rows.filter({ hasText: "First" }).waitFor({ state: "detached" });
});

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

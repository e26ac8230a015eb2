import { connectLocal } from "@belfry/client/local";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { startReceiver } from "../../../packages/server/tests/support/receiver.ts";
import { openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const command = { kind: "shell", script: "true" } as const;

const waitForFact = (page: Page, name: string, value: string) =>
  page
    .locator("dt", { hasText: new RegExp(`^${name}$`) })
    .locator("+ dd", { hasText: value })
    .waitFor();
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true, level: 1 });

test("the page of a trigger follows its fires, and a hold of its task", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Deploy", command });
  const { trigger, key } = await client.triggers.create({ name: "CI", target_task_id: task.id });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/triggers/${trigger.id}`);
  await waitForFact(page, "Fired", "0");
  await client.triggers.fire(key);
  await waitForFact(page, "Fired", "1");
  await client.holds.place({ reason: "Repairs" });
  await page.getByText("Held", { exact: true }).first().waitFor();
  await client.holds.release({});
  await page.getByText("Held", { exact: true }).waitFor({ state: "detached" });
  expect(ui.errors).toEqual([]);
});

test("the page of a task knows what happened while the page of its run was open", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script: "sleep 300" } });
  const run = await client.tasks.run(task.id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const status = page.locator("header, main").getByText("Running", { exact: true });
  await ui.go(`/tasks/${task.id}`);
  await status.first().waitFor();
  await ui.go(`/runs/${run.id}`);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  // the question reads the task, too
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the run" }).click();
  await page.getByText("Cancelled", { exact: true }).first().waitFor();
  await page.goBack();
  await heading(page, "Backup").waitFor();
  // the page of the run has the same heading, and not this button
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  await status.first().waitFor({ state: "detached" });
  expect(ui.errors).toEqual([]);
});

test("what one trigger showed is not on the page of the next", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Deploy", command });
  const [first, second] = [
    await client.triggers.create({ name: "first", target_task_id: task.id }),
    await client.triggers.create({ name: "second", target_task_id: task.id }),
  ];
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/triggers/${first.trigger.id}`);
  await page.getByRole("button", { name: "Show the key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText(first.key).first().waitFor();
  await ui.go(`/triggers/${second.trigger.id}`);
  await heading(page, "second").waitFor();
  expect(await page.content()).not.toContain(first.key);
  expect(ui.errors).toEqual([]);
});

test("what is not known of one channel is not said of the next", async () => {
  await using daemon = await startDaemon();
  await using receiver = await startReceiver();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const [first, second] = [
    await client.notificationChannels.create({ name: "first", endpoint: receiver.url }),
    await client.notificationChannels.create({ name: "second", endpoint: receiver.url }),
  ];
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.route("**/api/v1/notification-channels/*/test", (route) => route.abort());
  await ui.go(`/channels/${first.id}`);
  const send = page.getByRole("button", { name: "Send a test" });
  await send.click();
  await page.getByText("The result is unknown").waitFor();
  await ui.go(`/channels/${second.id}`);
  await heading(page, "second").waitFor();
  expect(await page.getByText("The result is unknown").count()).toBe(0);
  expect(await send.isEnabled()).toBe(true);
  expect(ui.errors).toEqual([]);
});

test("an explanation that is read again moves nothing", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command });
  await using ui = await openScreens({ screens, socket: daemon.socketPath, height: 400 });
  const { page } = ui;
  await ui.go(`/tasks/${task.id}?why=now`);
  const answer = page.getByText("Now: The task can start.");
  await answer.waitFor();
  await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(0);
  await page.evaluate("scrollTo(0, 0)");
  await client.tasks.disable(task.id);
  await answer.waitFor({ state: "detached" });
  await page.getByText("Now: The task is disabled.").waitFor();
  expect(await page.evaluate("scrollY")).toBe(0);
  expect(ui.errors).toEqual([]);
});

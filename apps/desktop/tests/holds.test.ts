import { connectLocal } from "@belfry/client/local";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { holdSocket } from "./support/held-socket.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

test("all tasks are held with a reason, the hold is said, and it is released", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const client = connectLocal({ socketPath: daemon.socketPath });
  const { page } = ui;
  await page.getByRole("button", { name: "More ▾" }).click();
  await page.getByRole("menuitem", { name: "Hold all tasks" }).click();
  const dialog = page.getByRole("dialog", { name: "Hold all tasks?" });
  await dialog.getByLabel("Until (optional)").fill("2001-01-01T00:00");
  await dialog.getByLabel("Reason (optional)").fill("Database upgrade");
  await dialog.getByRole("button", { name: "Hold", exact: true }).click();
  await dialog.getByRole("alert").first().waitFor();
  expect((await client.holds.list()).holds).toEqual([]);
  await expectSound(ui);
  await ui.picture("hold-error");
  await dialog.getByLabel("Until (optional)").fill("2999-01-01T00:00");
  await dialog.getByRole("button", { name: "Hold", exact: true }).click();
  await page.getByText("“Database upgrade”").waitFor();
  expect((await client.holds.list()).holds).toMatchObject([{ group_id: null, reason: "Database upgrade" }]);
  await page.getByRole("button", { name: "Release" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
  await page.getByText("“Database upgrade”").waitFor({ state: "detached" });
  expect((await client.holds.list()).holds).toEqual([]);
});

test("the group of a task is held from its page, which then says that the task waits", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const group = await client.groups.create({ name: "Web" });
  const task = await client.tasks.create({
    name: "Report",
    command: { kind: "exec", program: "true" },
    group_id: group.id,
  });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/tasks/${task.id}`);
  await page.getByRole("button", { name: "More ▾" }).click();
  await page.getByRole("menuitem", { name: "Hold its group" }).click();
  const dialog = page.getByRole("dialog", { name: "Hold the tasks in Web?" });
  await dialog.getByRole("button", { name: "Hold", exact: true }).click();
  await page.getByText("Held", { exact: true }).first().waitFor();
  expect((await client.holds.list()).holds).toMatchObject([{ group_id: group.id, until: null, reason: null }]);
  expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true);
  await ui.picture("task-held");
});

test("a release whose answer was lost is called unknown, although the list of holds is gone with its last one", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  await client.holds.place({ group_id: null, until: null, reason: "Upgrade" });
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  await page.getByRole("button", { name: "Release" }).click();
  const dialog = page.getByRole("dialog", { name: "Release the hold?" });
  held.treat("cut-changes");
  await dialog.getByRole("button", { name: "Release" }).click();
  await dialog.getByText("The result is unknown").waitFor();
  await page.getByText("“Upgrade”").waitFor({ state: "detached" });
  await dialog.getByText("The result is unknown").waitFor();
  expect((await client.holds.list()).holds).toEqual([]);
  held.treat("pass");
  await dialog.getByRole("button", { name: "Look again" }).click();
  await dialog.getByText("It was done").waitFor();
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(ui.errors).toEqual([]);
});

test("a hold has the name that its group has now, also in the question that is open", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const group = await client.groups.create({ name: "Web" });
  await client.holds.place({ group_id: group.id, until: null, reason: "Upgrade" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.getByText("No task in Web starts.").waitFor();
  await page.getByRole("button", { name: "Release" }).click();
  await page.getByText("Tasks start again in Web: those that wait, at once.").waitFor();
  await client.groups.update(group.id, { name: "Old web" });
  await page.getByText("Tasks start again in Old web: those that wait, at once.").waitFor();
  await page.getByText("No task in Old web starts.").waitFor();
  expect(ui.errors).toEqual([]);
});

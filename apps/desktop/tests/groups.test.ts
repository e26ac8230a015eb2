import { connectLocal } from "@belfry/client/local";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { actsOf, chooseMore, sentBy } from "./support/edit-dialog.ts";
import { holdSocket } from "./support/held-socket.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const command = { kind: "exec", program: "true" } as const;

test("a group is created inside of another one, renamed, disabled and enabled", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const web = await client.groups.create({ name: "Web", environment: { STAGE: "live" } });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const dialog = page.getByRole("dialog");
  await ui.go("/tasks");
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  expect(await actsOf(ui, "More ▾")).toEqual(["Import a crontab", "New group"]);
  await chooseMore(ui, "New group");
  await dialog.getByLabel("Name", { exact: true }).fill("Web");
  await dialog.getByRole("button", { name: "Create the group" }).click();
  // a name that is taken is refused, beside its field
  await dialog.locator("input[aria-invalid=true]").waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(1);
  await expectSound(ui);
  await ui.picture("new-group-error");
  await dialog.getByLabel("Name", { exact: true }).fill("Shop");
  await dialog.getByLabel("Parent group (optional)").selectOption("Web");
  await dialog.getByRole("button", { name: "Create the group" }).click();
  await page.getByText("No task is directly in this group.").waitFor();
  const shop = (await client.groups.find("Shop"))!;
  expect(shop).toMatchObject({ parent_id: web.id, enabled: true });
  await expect.poll(() => page.getByLabel("Group").inputValue()).toBe(shop.id);

  await client.tasks.create({ name: "Deploy", command, group_id: shop.id });
  await page.getByRole("row", { name: /Web \/ Shop \/ Deploy/ }).waitFor();
  await chooseMore(ui, "Disable the group");
  await page.getByText("No task in Shop or in its subgroups starts.").waitFor();
  await page
    .getByRole("row", { name: /Deploy/ })
    .getByText("Group disabled")
    .waitFor();
  expect((await client.groups.get(shop.id)).enabled).toBe(false);
  await expectSound(ui);
  await ui.picture("group-disabled");
  await chooseMore(ui, "Enable the group");
  await page.getByText("No task in Shop or in its subgroups starts.").waitFor({ state: "detached" });
  expect((await client.groups.get(shop.id)).enabled).toBe(true);

  await chooseMore(ui, "Rename the group");
  const save = dialog.getByRole("button", { name: "Save" });
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel("Name", { exact: true }).fill("Store");
  await client.groups.update(shop.id, { name: "Market" });
  await dialog.getByText("Somebody changed this group meanwhile").waitFor();
  await dialog.getByText("Name: Shop becomes Market").waitFor();
  expect(await save.isDisabled()).toBe(true);
  await expectSound(ui);
  await dialog.getByRole("button", { name: "Go on with the newest state" }).click();
  const { revision } = await client.groups.get(shop.id);
  expect(await sentBy(page, () => save.click())).toEqual({ body: { name: "Store" }, ifMatch: `"${revision}"` });
  await page.getByRole("row", { name: /Web \/ Store \/ Deploy/ }).waitFor();
  expect(await client.groups.get(shop.id)).toMatchObject({ name: "Store", parent_id: web.id });
});

test("a group that is not empty says what is in it; an empty one says what goes with it, and is deleted", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const web = await client.groups.create({ name: "Web", environment: { STAGE: "live", TOKEN: "secret" } });
  const shop = await client.groups.create({ name: "Shop", parent_id: web.id });
  const task = await client.tasks.create({ name: "Deploy", command, group_id: web.id });
  const channel = await client.notificationChannels.create({ name: "On call", endpoint: "https://example.org/hook" });
  const assignments = [{ channel_id: channel.id, on_success: false, on_failure: true }];
  expect((await daemon.call("PUT", `/v1/groups/${web.id}/notifications`, { assignments })).status).toBe(200);
  await client.holds.place({ group_id: web.id, until: null, reason: null });
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const dialog = page.getByRole("dialog");
  const remove = dialog.getByRole("button", { name: "Delete" });
  await ui.go(`/tasks?group=${web.id}`);
  await page.getByRole("row", { name: /Deploy/ }).waitFor();
  await chooseMore(ui, "Delete the group");
  await dialog.getByText("Web contains 1 task (Deploy) and 1 subgroup (Shop).").waitFor();
  expect(await remove.isDisabled()).toBe(true);
  await expectSound(ui);
  await ui.picture("delete-group-full");
  // what is in it goes while the dialog is open
  await client.groups.update(shop.id, { parent_id: null });
  await client.tasks.delete(task.id);
  await dialog
    .getByText("2 variables (STAGE, TOKEN), 1 notification (to On call) and 1 hold are deleted with it.")
    .waitFor();
  await expectSound(ui);
  await ui.picture("delete-group");
  held.treat("cut-changes");
  await remove.click();
  await dialog.getByText("The result is unknown").waitFor();
  expect(await dialog.getByRole("button").allInnerTexts()).toEqual(["Look again", "Dismiss"]);
  held.treat("pass");
  await dialog.getByRole("button", { name: "Look again" }).click();
  await dialog.getByText("It was done").waitFor();
  expect((await client.groups.list()).groups.map(({ name }) => name)).toEqual(["Shop"]);
  await dialog.getByRole("button", { name: "Dismiss" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();

  await ui.go(`/tasks?group=${shop.id}`);
  await chooseMore(ui, "Delete the group");
  await dialog.getByText("It has no variable, notification or hold that is deleted with it.").waitFor();
  await remove.click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  expect((await client.groups.list()).groups).toEqual([]);
  await expect.poll(() => page.getByLabel("Group").inputValue()).toBe("");
});

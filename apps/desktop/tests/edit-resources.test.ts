import { connectLocal } from "@belfry/client/local";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { startRemoteDaemon } from "../../../packages/server/tests/support/remote.ts";
import { answerWith, startReceiver } from "../../../packages/server/tests/support/receiver.ts";
import { actsOf, chooseMore, leftEdit, openEdit, sentBy } from "./support/edit-dialog.ts";
import { enrol, pairLaptop } from "./support/enrol.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const command = { kind: "exec", program: "true" } as const;

test("a channel is renamed without its endpoint, and gets another endpoint, which is not shown again", async () => {
  await using daemon = await startDaemon();
  await using receiver = await startReceiver();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const channel = await client.notificationChannels.create({
    name: "On call",
    endpoint: "https://former.example.org/hook-secret-part",
    authorization: "Bearer kept",
  });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/channels");
  const form = await openEdit(ui, "On call");
  const name = form.getByLabel("Name", { exact: true });
  const endpoint = form.getByLabel("New endpoint (optional)");
  const save = form.getByRole("button", { name: "Save" });
  expect(await save.isDisabled()).toBe(true);
  expect(await endpoint.inputValue()).toBe("");
  await form.getByText("Leave the field empty to keep the endpoint as it is.").waitFor();
  await form.getByText("https://former.example.org", { exact: true }).waitFor();
  await name.fill("Team");
  await expectSound(ui);
  await ui.picture("edit-channel");
  expect(await sentBy(page, () => save.click())).toEqual({
    body: { name: "Team" },
    ifMatch: `"${channel.revision}"`,
  });
  await leftEdit(ui, "Channels");
  expect(await client.notificationChannels.get(channel.id)).toMatchObject({
    name: "Team",
    endpoint_summary: "https://former.example.org",
    has_authorization: true,
  });

  await openEdit(ui, "Team");
  await endpoint.fill("http://example.org/hook");
  await save.click();
  await form.locator("input[aria-invalid=true]").waitFor();
  expect(await endpoint.getAttribute("aria-invalid")).toBe("true");
  expect(await form.getByRole("alert").count()).toBe(1);
  await expectSound(ui);
  const url = `http://127.0.0.1:${receiver.port}/hook-${"s".repeat(20)}`;
  await endpoint.fill(url);
  // somebody else renames it meanwhile
  await client.notificationChannels.update(channel.id, { name: "Night shift" });
  await form.getByText("Somebody changed this channel meanwhile").waitFor();
  await form.getByText("Name: Team becomes Night shift").waitFor();
  expect(await save.isDisabled()).toBe(true);
  await form.getByRole("button", { name: "Go on with the newest state" }).click();
  expect(await name.inputValue()).toBe("Night shift");
  expect(await sentBy(page, () => save.click())).toMatchObject({ body: { endpoint: url } });
  await leftEdit(ui, "Channels");
  await page
    .getByRole("row", { name: /Night shift/ })
    .getByText(`http://127.0.0.1:${receiver.port}`)
    .waitFor();
  expect(await page.content()).not.toContain("ssssss");
  receiver.behave(answerWith(204));
  await client.notificationChannels.test(channel.id);
  await expect
    .poll(async () => (await client.notificationDeliveries.list()).notification_deliveries[0]?.state)
    .toBe("succeeded");
});

test("a trigger is renamed and gets another task, and keeps its key", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const deploy = await client.tasks.create({ name: "Deploy", command });
  const build = await client.tasks.create({ name: "Build", command });
  const { trigger, key } = await client.triggers.create({ name: "CI", target_task_id: deploy.id });
  await client.triggers.create({ name: "Taken", target_task_id: deploy.id });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/triggers/${trigger.id}`);
  await page.getByRole("button", { name: "More ▾" }).waitFor();
  // the palette offers the edit once
  await page.keyboard.press("Control+k");
  await page.keyboard.type("edit");
  const offered = page.getByRole("dialog").getByRole("option", { name: /^Edit/ });
  await offered.first().waitFor();
  expect(await offered.count()).toBe(1);
  await page.keyboard.press("Escape");
  await chooseMore(ui, "Edit");
  await page.getByRole("heading", { name: "Edit CI", level: 1 }).waitFor();
  const form = page.getByRole("main");
  const name = form.getByLabel("Name", { exact: true });
  const task = form.getByRole("combobox", { name: "Task" });
  const save = form.getByRole("button", { name: "Save" });
  await expect.poll(() => task.inputValue()).toBe(deploy.id);
  expect(await save.isDisabled()).toBe(true);
  await name.fill("x".repeat(300));
  await save.click();
  await form.locator("input[aria-invalid=true]").waitFor();
  expect(await name.getAttribute("aria-invalid")).toBe("true");
  expect(await form.getByRole("alert").count()).toBe(1);
  await expectSound(ui);
  await name.fill("CI");
  await task.selectOption(build.id);
  expect(await sentBy(page, () => save.click())).toEqual({
    body: { target_task_id: build.id },
    ifMatch: `"${trigger.revision}"`,
  });
  await page.getByRole("heading", { name: "CI", exact: true, level: 1 }).waitFor();
  expect((await client.triggers.fire(key)).task_id).toBe(build.id);

  await page.keyboard.press("e");
  await name.fill("Release");
  await client.triggers.update(trigger.id, { target_task_id: deploy.id });
  await form.getByText("Task: Build becomes Deploy").waitFor();
  expect(await save.isDisabled()).toBe(true);
  await expectSound(ui);
  await form.getByRole("button", { name: "Go on with the newest state" }).click();
  await save.click();
  await page.getByRole("heading", { name: "Release", exact: true }).waitFor();
  expect(await client.triggers.get(trigger.id)).toMatchObject({ name: "Release", target_task_id: deploy.id });
});

test("a trigger of a set is renamed, and the task of the set is not offered", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Deploy", command });
  await client.triggerSets.create({ name: "Build agents", target_task_id: task.id, count: 2 });
  const [trigger] = (await client.triggers.list()).triggers;
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  await ui.go(`/triggers/${trigger!.id}`);
  await chooseMore(ui, "Edit");
  const form = ui.page.getByRole("main");
  await form.getByText("It belongs to the set Build agents, whose triggers all run Deploy.").waitFor();
  expect(await form.getByRole("combobox").count()).toBe(0);
  await expectSound(ui);
  await form.getByLabel("Name", { exact: true }).fill("Agent in the cellar");
  await form.getByRole("button", { name: "Save" }).click();
  await ui.page.getByRole("heading", { name: "Agent in the cellar", exact: true }).waitFor();
  expect((await client.triggers.get(trigger!.id)).name).toBe("Agent in the cellar");
});

test("who may operate but not manage finds no edit, and of the acts on a group only its switch", async () => {
  await using local = await startDaemon();
  await using remote = await startRemoteDaemon();
  const client = connectLocal({ socketPath: remote.socketPath });
  const group = await client.groups.create({ name: "Web" });
  const task = await client.tasks.create({ name: "Deploy", command, group_id: group.id });
  const watcher = await client.watchers.create({
    name: "Inbox",
    kind: "file",
    path: "/srv/inbox.csv",
    target_task_id: task.id,
  });
  const channel = await client.notificationChannels.create({ name: "On call", endpoint: "https://example.org/hook" });
  const { trigger } = await client.triggers.create({ name: "CI", target_task_id: task.id });
  const pairing = await pairLaptop(remote, "operate");
  await using ui = await openScreens({ screens, socket: local.socketPath });
  const { page } = ui;
  await ui.go("/connections");
  await enrol(ui, { ...pairing, name: "other" });
  await page.getByText("operate, as Laptop").waitFor();
  await ui.go("/watchers");
  expect(await actsOf(ui, "Actions of Inbox")).toEqual(["Disable"]);
  await ui.go(`/watchers/${watcher.id}`);
  expect(await actsOf(ui, "More ▾")).toEqual(["Disable"]);
  await ui.go("/channels");
  expect(await actsOf(ui, "Actions of On call")).toEqual(["See its deliveries", "Send a test", "Disable"]);
  await ui.go(`/channels/${channel.id}`);
  expect(await actsOf(ui, "More ▾")).toEqual(["Disable"]);
  expect(await page.getByRole("button", { name: "Send a test" }).count()).toBe(1);
  for (const path of [
    `/watchers/${watcher.id}/edit`,
    `/channels/${channel.id}/edit`,
    "/watchers/new",
    "/channels/new",
  ]) {
    await ui.go(path);
    await page.getByText("needs the capability manage").waitFor();
  }
  await ui.go(`/triggers/${trigger.id}`);
  expect(await actsOf(ui, "More ▾")).toEqual(["Disable"]);
  await ui.go(`/tasks?group=${group.id}`);
  await page.getByRole("row", { name: /Deploy/ }).waitFor();
  expect(await actsOf(ui, "More ▾")).toEqual(["Disable the group"]);
  await expectSound(ui);
  await ui.go("/tasks");
  await page.getByRole("button", { name: "More ▾" }).waitFor({ state: "detached" });
});

test("who may manage a daemon on another machine finds no act that it allows only there, but its command", async () => {
  await using local = await startDaemon();
  await using remote = await startRemoteDaemon();
  const client = connectLocal({ socketPath: remote.socketPath });
  const task = await client.tasks.create({ name: "Deploy", command });
  const path = "/srv/inbox.csv";
  const watcher = await client.watchers.create({ name: "Inbox", kind: "file", path, target_task_id: task.id });
  const channel = await client.notificationChannels.create({ name: "On call", endpoint: "https://example.org/hook" });
  const pairing = await pairLaptop(remote, "manage");
  await using ui = await openScreens({ screens, socket: local.socketPath });
  const { page } = ui;
  await ui.go("/connections");
  await enrol(ui, { ...pairing, name: "other" });
  await page.getByText("manage, as Laptop").waitFor();
  for (const [list, row, of, open] of [
    ["/watchers", "Inbox", watcher.id, ["Disable"]],
    ["/channels", "On call", channel.id, ["See its deliveries", "Send a test", "Disable"]],
  ] as const) {
    await ui.go(list);
    expect(await actsOf(ui, `Actions of ${row}`)).toEqual(open);
    expect(await page.getByRole("button", { name: /^New / }).count()).toBe(0);
    await ui.go(`${list}/${of}`);
    expect(await actsOf(ui, "More ▾")).toEqual(["Disable"]);
    await expectSound(ui);
    for (const [form, verb] of [
      ["new", "add"],
      [`${of}/edit`, "edit"],
    ]) {
      await ui.go(`${list}/${form}`);
      await page.getByText(`belfry ${list.slice(1, -1)} ${verb} `).waitFor();
    }
  }
});

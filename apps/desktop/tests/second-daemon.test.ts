import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { startRemoteDaemon } from "../../../packages/server/tests/support/remote.ts";
import { enrol, pairLaptop } from "./support/enrol.ts";
import { expectSound, go, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

test("a second daemon is paired with, shown, managed within its grant, and revoked", async () => {
  await using local = await startDaemon();
  await using remote = await startRemoteDaemon();
  const command = { kind: "shell", script: "true" };
  await local.call("POST", "/v1/tasks", { name: "Of this machine", command });
  const { json: there } = await remote.call("POST", "/v1/tasks", { name: "Of the other", command });
  const pairing = await pairLaptop(remote, "operate");
  await using ui = await openScreens({ screens, socket: local.socketPath });
  const { page } = ui;
  await ui.go("/connections");
  await enrol(ui, { ...pairing, phrase: "six wrong words that fit nothing", name: "other" });
  await page.getByRole("alert").waitFor();
  await expectSound(ui);
  await enrol(ui, { ...pairing, name: "other" });
  await page.getByText("operate, as Laptop").waitFor();
  expect(await page.content()).not.toContain(pairing.phrase);
  await expectSound(ui);
  await ui.picture("connections");

  await ui.go("/tasks");
  await page.getByRole("row", { name: /Of the other/ }).waitFor();
  expect(await page.getByText("Of this machine").count()).toBe(0);
  expect(await page.getByRole("button", { name: "New task" }).count()).toBe(0);
  await page.getByRole("button", { name: "Run Of the other" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run" }).click();
  await page.waitForURL(/#\/runs\//);
  expect((await remote.call("GET", `/v1/runs?task_id=${there.id}`)).json.runs).toHaveLength(1);
  await ui.go("/access");
  await page.getByRole("heading", { name: "Not allowed" }).waitFor();
  await ui.picture("access-not-allowed");
  await expectSound(ui);

  const { json: actors } = await remote.call("GET", "/v1/access/actors");
  const laptop = actors.actors.find(({ name }: { readonly name: string }) => name === "Laptop");
  await remote.call("POST", `/v1/access/actors/${laptop.id}/revoke`);
  await ui.go("/tasks");
  await page
    .getByText(/revoked/i)
    .first()
    .waitFor();
  await ui.picture("tasks-revoked");
  await ui.go("/connections");
  await page.getByRole("button", { name: "Show" }).click();
  await ui.go("/tasks");
  await page.getByRole("row", { name: /Of this machine/ }).waitFor();
});

test("a tab that is opened from a tab shows the same daemon, and both name it", async () => {
  await using local = await startDaemon();
  await using remote = await startRemoteDaemon();
  const command = { kind: "shell", script: "true" };
  await local.call("POST", "/v1/tasks", { name: "Of this machine", command });
  await remote.call("POST", "/v1/tasks", { name: "Of the other", command });
  const pairing = await pairLaptop(remote, "operate");
  await using ui = await openScreens({ screens, socket: local.socketPath });
  const { page, context } = ui;
  const named = (tab: Page) => tab.getByRole("banner").getByRole("link", { name: "Daemon: other" });
  /** Opens the tasks in a tab of its own. */
  const openTasks = async (from: Page): Promise<Page> => {
    const opened = context.waitForEvent("page");
    await from.getByRole("link", { name: "Tasks", exact: true }).click({ modifiers: ["Control"] });
    return opened;
  };
  expect(await named(page).count()).toBe(0);
  await ui.go("/connections");
  await enrol(ui, { ...pairing, name: "other" });
  await named(page).waitFor();
  await expectSound(ui);

  const ofLocal = await context.newPage();
  await ofLocal.goto(ui.server.newAddress());
  await ofLocal.locator("#places").waitFor({ state: "attached" });
  const further = await openTasks(page);
  await further.getByRole("row", { name: /Of the other/ }).waitFor();
  await named(further).waitFor();
  const another = await openTasks(ofLocal);
  await another.getByRole("row", { name: /Of this machine/ }).waitFor();
  expect(await named(another).count()).toBe(0);

  // the name moves nothing
  const places = async (tab: Page) => {
    const button = tab.getByRole("button", { name: /^Search/ }).first();
    return [await tab.getByRole("banner").boundingBox(), await button.boundingBox()];
  };
  await go(page, "/tasks");
  for (const width of [1_280, 320]) {
    for (const tab of [page, another]) await tab.setViewportSize({ width, height: 640 });
    expect(await named(page).isVisible()).toBe(true);
    expect(await places(page)).toEqual(await places(another));
    await ui.picture(`other-daemon-${width}`);
    await expectSound(ui);
  }
});

test("acts that a daemon allows only on its machine are not offered elsewhere, and those of a lowered grant go away", async () => {
  await using local = await startDaemon();
  await using remote = await startRemoteDaemon();
  const { json: task } = await remote.call("POST", "/v1/tasks", {
    name: "Deploy",
    command: { kind: "shell", script: "true" },
  });
  const { json: made } = await remote.call("POST", "/v1/triggers", { name: "CI", target_task_id: task.id });
  const pairing = await pairLaptop(remote, "manage");
  await using ui = await openScreens({ screens, socket: local.socketPath });
  const { page } = ui;
  await ui.go("/connections");
  await enrol(ui, { ...pairing, name: "other" });
  await page.getByText("manage, as Laptop").waitFor();

  await ui.go(`/triggers/${made.trigger.id}`);
  await page.getByRole("button", { name: "More ▾" }).click();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Disable"]);
  await page.keyboard.press("Escape");
  expect(await page.getByRole("button", { name: "Show the key" }).count()).toBe(0);
  await ui.go("/triggers/new");
  await page.getByText("belfry trigger add NAME --task TASK").waitFor();
  await ui.picture("trigger-only-there");
  await expectSound(ui);

  await ui.go(`/tasks/${task.id}`);
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  const { json: actors } = await remote.call("GET", "/v1/access/actors");
  const laptop = actors.actors.find(({ name }: { readonly name: string }) => name === "Laptop");
  const lowered = await remote.call("PATCH", `/v1/access/actors/${laptop.id}`, { capability: "observe" });
  expect(lowered.status).toBe(200);
  await page.getByText(/cannot report changes.*grants this client observe only.*belfry profile edit/).waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).waitFor({ state: "detached" });
  await ui.picture("grant-lowered");
  await expectSound(ui);
  await remote.call("PATCH", `/v1/access/actors/${laptop.id}`, { capability: "manage" });
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
});

test("an enrolment whose answer was lost may have been done, and a profile or an invitation that cannot be used says so", async () => {
  await using local = await startDaemon();
  await using remote = await startRemoteDaemon();
  const pairing = await pairLaptop(remote, "observe");
  await using ui = await openScreens({ screens, socket: local.socketPath });
  const { page } = ui;
  const form = page.getByRole("form", { name: "Enrol with a daemon" });
  await ui.go("/connections");
  await enrol(ui, { ...pairing, invitation: "half of it", name: "other" });
  await form.getByRole("alert").getByText("A value is not allowed").waitFor();
  await form.getByText(/^The invitation is not complete\./).waitFor();

  let sent = 0;
  await page.route("**/shell/profiles", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent += 1;
    await route.fetch();
    return route.abort();
  });
  await enrol(ui, { ...pairing, name: "other" });
  await form.getByText("The phrase may have been used.").waitFor();
  await page.getByRole("heading", { name: "other", exact: true }).waitFor();
  expect(sent).toBe(1);
  await expectSound(ui);
  await ui.picture("enrolment-lost");

  const folder = join(ui.home, "config/belfry/profiles");
  for (const file of await readdir(folder)) await writeFile(join(folder, file), "{}");
  await page.reload();
  await page.getByText("This did not work", { exact: true }).waitFor();
  await page.getByText(/^The profile in .* is damaged, or a later version wrote it\.$/).waitFor();
  await expectSound(ui);
});

import { tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Harness, startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { startRemoteDaemon } from "../../../packages/server/tests/support/remote.ts";
import { answerWith, startReceiver } from "../../../packages/server/tests/support/receiver.ts";
import { expectSound, openScreens, type Screens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

async function addTask(daemon: Harness, name: string, script = "echo hello"): Promise<string> {
  const { status, json } = await daemon.call("POST", "/v1/tasks", { name, command: { kind: "shell", script } });
  expect(status).toBe(201);
  return json.id;
}

const lastRun = async (daemon: Harness, taskId: string) =>
  (await daemon.call("GET", `/v1/runs?task_id=${taskId}&limit=1`)).json.runs[0];

const openMenu = (ui: Screens, act: string, button: string | RegExp = "More ▾") =>
  ui.page
    .getByRole("button", { name: button })
    .click()
    .then(() => ui.page.getByRole("menuitem", { name: act }).click());

/** Whether a card shows all that is in it; it runs in the page. */
const isWhole = (card: { readonly scrollHeight: number; readonly clientHeight: number }): boolean =>
  card.clientHeight > 60 && card.scrollHeight <= card.clientHeight;

test("a trigger is created, fired, rotated and deleted, and its key leaves the page", async () => {
  await using daemon = await startDaemon();
  const taskId = await addTask(daemon, "Deploy");
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/triggers");
  await page.getByRole("heading", { name: "No triggers yet" }).waitFor();
  await ui.picture("triggers-first-use");
  await expectSound(ui);
  await page.getByRole("button", { name: "New trigger" }).first().click();
  await page.getByLabel("Name").fill("CI");
  await page.getByRole("combobox", { name: "Task" }).selectOption(taskId);
  await page.getByRole("button", { name: "Create the trigger" }).click();
  const key = page.getByRole("region", { name: "Key" });
  await key.waitFor();
  const first = await key.locator("code").first().innerText();
  expect(first).toMatch(/^bfk_/);
  await expectSound(ui);
  await page.getByRole("button", { name: "Hide the key" }).click();
  await ui.go("/triggers");
  await page.getByRole("row", { name: /CI/ }).click();
  await page.getByRole("heading", { name: "CI", exact: true }).waitFor();
  expect(await page.content()).not.toContain(first);

  await openMenu(ui, "Fire now");
  await page.getByRole("button", { name: "Fire", exact: true }).click();
  await page.waitForURL(/#\/runs\//);
  expect(await lastRun(daemon, taskId)).toMatchObject({ trigger: "external_trigger" });

  await page.goBack();
  await openMenu(ui, "Rotate the key");
  await page.getByText("The former key stops working immediately").waitFor();
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await key.waitFor();
  const second = await key.locator("code").first().innerText();
  expect(second).not.toBe(first);
  expect((await daemon.call("POST", "/v1/triggers/fire", { key: first })).json.error.code).toBe("trigger_unknown");
  expect((await daemon.call("POST", "/v1/triggers/fire", { key: second })).status).toBe(202);
  await ui.picture("trigger-key");
  await expectSound(ui);

  await openMenu(ui, "Delete");
  await page.getByLabel("Type “CI” to confirm").fill("CI");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("heading", { name: "No triggers yet" }).waitFor();
  await expectSound(ui);
});

test("a watcher is created, seen to observe, and starts its task", async () => {
  await using daemon = await startDaemon();
  await using place = await tempDir();
  const taskId = await addTask(daemon, "Load");
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/watchers");
  await page.getByRole("button", { name: "New watcher" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Incoming");
  await page.getByLabel("Path").fill("relative");
  await page.getByLabel("File names").fill("*.csv");
  await page.getByRole("combobox", { name: "Task to start" }).selectOption(taskId);
  await page.getByRole("button", { name: "Create the watcher" }).click();
  await page.getByRole("alert").filter({ hasText: "absolute" }).waitFor();
  await ui.picture("watcher-form-error");
  await page.getByLabel("Path").fill(place.path);
  await page.getByRole("button", { name: "Create the watcher" }).click();
  await page.getByRole("heading", { name: "Incoming", exact: true, level: 1 }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Watchers" }).click();
  await page
    .getByRole("row", { name: /Incoming/ })
    .getByText("Observing")
    .waitFor();
  await expectSound(ui);
  await ui.picture("watchers");
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => page.getByRole("row", { name: /Incoming/ }).evaluate(isWhole)).toBe(true);
  await page.setViewportSize({ width: 1_280, height: 900 });
  await page.getByRole("row", { name: /Incoming/ }).click();
  await page.getByText("*.csv", { exact: true }).waitFor();
  await expectSound(ui);
  await ui.picture("watcher");
  await writeFile(join(place.path, "new.csv"), "1,2\n");
  await until("the run of the watcher", async () => (await lastRun(daemon, taskId))?.state === "succeeded");
  await page.getByRole("region", { name: "Last runs" }).getByText("Succeeded").waitFor();
  await openMenu(ui, "Delete");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("heading", { name: "No watchers yet" }).waitFor();
});

test("a channel is added and tested, its deliveries are seen, and a failed one is sent again", async () => {
  await using daemon = await startDaemon();
  await using receiver = await startReceiver();
  const url = `http://127.0.0.1:${receiver.port}/hook-${"s".repeat(20)}`;
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/channels");
  await page.getByRole("button", { name: "New channel" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("On call");
  await page.getByLabel("Endpoint").fill("ftp://example.org");
  await page.getByRole("button", { name: "Create the channel" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Endpoint").fill(url);
  await page.getByRole("button", { name: "Create the channel" }).click();
  const secret = await page.getByText(/^whsec_/).innerText();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { name: "On call", exact: true, level: 1 }).waitFor();
  await page.getByText("The history has no delivery to this channel.").waitFor();
  expect(await page.content()).not.toContain(secret);
  await expectSound(ui);
  await ui.picture("channel");
  await page.getByRole("main").getByRole("link", { name: "Channels" }).click();
  await page
    .getByRole("row", { name: /On call/ })
    .getByText("Healthy")
    .waitFor();
  expect(await page.content()).not.toContain("ssssss");
  expect(await page.content()).not.toContain(secret);
  await expectSound(ui);
  await ui.picture("channels");
  receiver.behave(answerWith(410));
  await openMenu(ui, "Send a test", /^Actions of/);
  await page
    .getByRole("row", { name: /On call/ })
    .getByText("Failed")
    .waitFor();
  await expectSound(ui);
  await ui.picture("deliveries");
  receiver.behave(answerWith(204));
  await page.getByRole("row", { name: /On call/ }).click();
  await page.getByRole("heading", { name: "Delivery to On call" }).waitFor();
  await page.getByText("HTTP 410").first().waitFor();
  await expectSound(ui);
  await ui.picture("delivery");
  // its address leads to it
  const failed = page.url();
  const other = await ui.context.newPage();
  await other.goto(failed);
  await other.getByText("HTTP 410").first().waitFor();
  await other.close();
  // the new delivery has a page of its own, which leads to the one that it repeats
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("Delivered").waitFor();
  const repeated = page.url();
  await page.getByRole("link", { name: /^dlv_/ }).click();
  await page.getByText("HTTP 410").first().waitFor();
  // Escape goes back through the pages to the list, whose filter is still there
  for (const address of [repeated, failed, /#\/deliveries\?channel=/]) {
    await page.keyboard.press("Escape");
    await page.waitForURL(address);
    await page.getByRole("heading", { name: /^Deliver/, level: 1 }).waitFor();
  }
  await page
    .getByRole("row", { name: /On call/ })
    .getByText("Delivered")
    .waitFor();

  // what notifies it is said before it is deleted
  const [channel] = (await daemon.call("GET", "/v1/notification-channels")).json.notification_channels;
  const assignments = [{ channel_id: channel.id, on_success: false, on_failure: true }];
  const taskId = await addTask(daemon, "Backup");
  const group = (await daemon.call("POST", "/v1/groups", { name: "Web" })).json;
  for (const scope of [`tasks/${taskId}`, `groups/${group.id}`])
    expect((await daemon.call("PUT", `/v1/${scope}/notifications`, { assignments })).status).toBe(200);
  await ui.go("/channels");
  await openMenu(ui, "Delete", /^Actions of/);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 task (Backup) and 1 group (Web) notify On call, and stop doing so.").waitFor();
  await expectSound(ui);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "No channels yet" }).waitFor();
});

test("a client is paired, its phrase shown once, and an actor revoked; the trail tells of both", async () => {
  await using daemon = await startRemoteDaemon();
  const ada = (await daemon.call("POST", "/v1/access/actors", { name: "Ada", capability: "operate" })).json;
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/access");
  await page.getByRole("button", { name: "Pair a client" }).click();
  await page.getByLabel("Name").fill("Laptop");
  await page.getByLabel("Capability").selectOption("manage");
  await page.getByRole("button", { name: "Create the pairing" }).click();
  const made = page.getByRole("region", { name: "New pairing" });
  const phrase = await made.locator("code").nth(1).innerText();
  expect(phrase.split(/[\s-]+/).length).toBeGreaterThanOrEqual(6);
  await expectSound(ui);
  await ui.picture("access-pairing");
  await page.getByRole("button", { name: "Hide the phrase" }).click();
  expect(await page.content()).not.toContain(phrase);
  await page.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  // while somebody points at its row, that stays
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.mouse.move(1, 1);
  await page.getByRole("heading", { name: "Access", level: 1 }).focus();
  await page.getByRole("heading", { name: "Open pairings" }).waitFor({ state: "detached" });

  await page.getByRole("row", { name: /Ada/ }).click();
  const change = page.getByRole("dialog");
  const capability = change.getByLabel("Capability");
  // nothing is asked, and nothing sent, while somebody goes through the choices by the keyboard
  await openMenu(ui, "Change the capability");
  expect(await capability.inputValue()).toBe("operate");
  expect(await change.getByRole("button", { name: "Change" }).isDisabled()).toBe(true);
  await capability.press("ArrowDown");
  await change.getByText("read everything, run tasks, and create and change them").waitFor();
  await expectSound(ui);
  await change.getByRole("button", { name: "Cancel" }).click();
  expect((await daemon.call("GET", `/v1/access/actors/${ada.id}`)).json.capability).toBe("operate");
  await openMenu(ui, "Change the capability");
  await capability.selectOption("observe");
  await change.getByRole("button", { name: "Change" }).click();
  await change.waitFor({ state: "detached" });
  expect((await daemon.call("GET", `/v1/access/actors/${ada.id}`)).json.capability).toBe("observe");
  await page.getByRole("button", { name: "Revoke" }).click();
  const revoke = page.getByRole("dialog").getByRole("button", { name: "Revoke" });
  expect(await revoke.isDisabled()).toBe(true);
  await page.getByLabel("Type “Ada” to confirm").fill("Ada");
  await expectSound(ui);
  await revoke.click();
  await page.getByText("Revoked").waitFor();
  expect((await daemon.call("GET", `/v1/access/actors/${ada.id}`)).json.state).toBe("revoked");

  await ui.go("/audit");
  await page
    .getByRole("row", { name: /actors\.revoke/ })
    .first()
    .click();
  await page.getByRole("dialog").getByText(ada.id).waitFor();
  await expectSound(ui);
  await page.keyboard.press("Escape");
  await page.getByText("No tampering found").waitFor();
  await ui.picture("audit");
});

test("colours and the zone are chosen, and kept for the next page", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/connections");
  await page.getByText("Shown now").waitFor();
  await page.getByLabel("Colours").selectOption("dark");
  const kept = page.waitForResponse(
    (answer) => answer.url().includes("/shell/preferences/") && answer.request().postData()?.includes("Tokyo") === true,
  );
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await kept;
  await expectSound(ui);
  await ui.picture("connections-dark");
  const next = await ui.context.newPage();
  await next.goto(ui.server.newAddress());
  await next.locator("html[data-theme=dark]").waitFor({ state: "attached" });
});

test("every component is shown in every state, without a fault", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  await ui.go("/specimen");
  await ui.page.getByRole("heading", { name: "Specimen" }).waitFor();
  await ui.page
    .getByRole("heading", { name: "The result is unknown" })
    .or(ui.page.getByText("The result is unknown"))
    .first()
    .waitFor();
  await expectSound(ui);
  await ui.picture("specimen");
});

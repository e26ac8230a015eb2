import { connectLocal } from "@belfry/client/local";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { startRemoteDaemon } from "../../../packages/server/tests/support/remote.ts";
import { chooseMore } from "./support/edit-dialog.ts";
import { enrol, pairLaptop } from "./support/enrol.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

/** Answers every question, and keeps what was asked. */
function answer(page: Page, isLeft: () => boolean): string[] {
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void (isLeft() ? dialog.accept() : dialog.dismiss());
  });
  return asked;
}

test("a form in a dialog is not lost by a click outside, nor by Escape without a question, once something is in it", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script: "true" } });
  const channel = await client.notificationChannels.create({ name: "On call", endpoint: "http://127.0.0.1:9/hook" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const dialog = page.getByRole("dialog");
  let isLeft = false;
  const asked = answer(page, () => isLeft);
  const press = (name: string) => () => page.getByRole("button", { name, exact: true }).click();
  const choose = (name: string) => () => chooseMore(ui, name);
  const forms: readonly (readonly [
    path: string,
    heading: string,
    open: () => Promise<void>,
    change: () => Promise<unknown>,
  ])[] = [
    [`/tasks/${task.id}`, "Backup", press("Add a schedule"), () => dialog.getByLabel("Expression").fill("0 3 * * *")],
    [`/tasks/${task.id}`, "Backup", press("Add a chain"), () => dialog.getByLabel("Delay").fill("5m")],
    [`/tasks/${task.id}`, "Backup", press("Change"), () => dialog.getByLabel("On call").selectOption("Failures")],
    ["/tasks", "Tasks", choose("New group"), () => dialog.getByLabel("Name", { exact: true }).fill("Web")],
    ["/", "Now", choose("Hold all tasks"), () => dialog.getByLabel("Reason").fill("Maintenance")],
    [
      `/channels/${channel.id}`,
      "On call",
      choose("Replace its secrets"),
      () => dialog.getByLabel("Authorization").selectOption("Replace it"),
    ],
  ];
  for (const [path, heading, open, change] of forms) {
    await ui.go(path);
    await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
    for (const leave of [() => page.keyboard.press("Escape"), () => page.mouse.click(8, 8)]) {
      await open();
      await dialog.getByRole("button", { name: "Cancel" }).waitFor();
      await leave();
      await dialog.waitFor({ state: "detached" });
    }
    expect(asked).toEqual([]);
    await open();
    await change();
    const focus = dialog.locator(":focus");
    const focused = await focus.getAttribute("id");
    await page.mouse.click(8, 8);
    expect(await focus.getAttribute("id")).toBe(focused);
    expect(asked).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => asked).toEqual(["Leave without saving your changes?"]);
    expect(await focus.getAttribute("id")).toBe(focused);
    isLeft = true;
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(asked.splice(0)).toHaveLength(2);
    isLeft = false;
    await open();
    await change();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  }
  expect(asked).toEqual([]);
  await expectSound(ui);
});

test("a page with an enrolment that was typed, or is on its way, is not left without a question", async () => {
  await using local = await startDaemon();
  await using remote = await startRemoteDaemon();
  const pairing = await pairLaptop(remote, "observe");
  await using ui = await openScreens({ screens, socket: local.socketPath });
  const { page } = ui;
  const asked = answer(page, () => false);
  const leave = () => page.locator("#places").getByRole("link", { name: "Tasks", exact: true }).click();
  await ui.go("/connections");
  await page.getByRole("button", { name: "Enrol with a daemon" }).click();
  await page.getByLabel("Phrase").fill(pairing.phrase);
  await leave();
  await expect.poll(() => asked).toEqual(["Leave without enrolling with the daemon?"]);
  expect(await page.getByLabel("Phrase").inputValue()).toBe(pairing.phrase);

  const answered = Promise.withResolvers<void>();
  await page.route("**/shell/profiles", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch();
    await answered.promise;
    return route.fulfill({ response });
  });
  await enrol(ui, { ...pairing, name: "other" });
  await page.getByRole("button", { name: "Sending …" }).waitFor();
  await leave();
  await expect.poll(() => asked.at(-1)).toBe("Leave without knowing whether the daemon is enrolled?");
  await page.getByRole("heading", { name: "Connections", exact: true, level: 1 }).waitFor();
  answered.resolve();
  await page.getByText("observe, as Laptop").waitFor();
  await leave();
  await page.getByRole("heading", { name: "Tasks", exact: true, level: 1 }).waitFor();
  expect(asked).toHaveLength(2);
});

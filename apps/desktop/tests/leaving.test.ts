import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { follow, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

/** Holds back the code of every page that is not read yet. Returns what lets it go. */
async function holdCode(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const isChange = (path: RegExp) => (response: { request: () => { method: () => string }; url: () => string }) =>
  response.request().method() === "POST" && path.test(new URL(response.url()).pathname);

test("a form cannot be sent again while the page of what it has created is read", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/tasks/new");
  await page.getByLabel("Name", { exact: true }).fill("Backup");
  await page.getByLabel("Start it by a schedule").uncheck();
  const release = await holdCode(page);
  const made = page.waitForResponse(isChange(/\/v1\/tasks$/));
  await page.getByRole("button", { name: "Create the task" }).click();
  expect((await made).status()).toBe(201);
  await page.waitForURL(/#\/tasks\/tsk_/);
  const button = page.getByRole("button", { name: "Sending …" });
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  await page.getByLabel("Name", { exact: true }).press("Enter");
  release();
  await page.getByRole("heading", { name: "Backup", level: 1 }).waitFor();
  expect((await daemon.call("GET", "/v1/tasks")).json.tasks).toHaveLength(1);
});

test.each(["/", "/tasks"])(
  "a question on %s is gone once it is done, also if its page is not left after all",
  async (path) => {
    await using daemon = await startDaemon();
    await daemon.call("POST", "/v1/tasks", { name: "Backup", command: { kind: "shell", script: "true" } });
    await using ui = await openScreens({ screens, socket: daemon.socketPath });
    const { page } = ui;
    await ui.go(path);
    const row = page.locator("[data-row]").filter({ hasText: "Backup" }).first();
    await row.waitFor();
    await (path === "/" ? row.getByRole("link").first() : row).focus();
    await page.keyboard.press("r");
    const run = page.getByRole("dialog").getByRole("button", { name: "Run", exact: true });
    await run.waitFor();
    const release = await holdCode(page);
    const made = page.waitForResponse(isChange(/\/run$/));
    await run.click();
    expect((await made).status()).toBe(202);
    await page.waitForURL(/#\/runs\/run_/);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await follow(page, path);
    await row.waitFor();
    release();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect((await daemon.call("GET", "/v1/runs")).json.runs).toHaveLength(1);
  },
);

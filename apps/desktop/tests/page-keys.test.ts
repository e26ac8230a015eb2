import { connectLocal } from "@belfry/client/local";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { allScreens, forEach, makeSamples } from "./support/all-screens.ts";
import { plainKeys } from "./support/keyboard.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

const shell = (script: string) => ({ kind: "shell", script }) as const;

test("j and k go through every list of the page Now, r asks to run the task of a row, and e edits it", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const broken = await client.tasks.create({ name: "Broken", command: shell("exit 3") });
  const { id } = await client.tasks.run(broken.id);
  await until("the end", async () => (await client.runs.get(id)).ended_at);
  const long = await client.tasks.create({ name: "Long", command: shell("sleep 600") });
  await client.tasks.run(long.id);
  await client.holds.place({ group_id: null, until: null, reason: "Upgrade" });
  await client.holds.release({ group_id: null, cause: "requested" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const keys = plainKeys(page);
  const isAt = (name: string) =>
    expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toBe(name);
  await page
    .getByRole("region", { name: /^Running/ })
    .getByRole("link", { name: "Long" })
    .waitFor();
  await page
    .getByRole("region", { name: /^Failed/ })
    .getByRole("link", { name: "Broken" })
    .waitFor();
  await page.getByRole("region", { name: "Timeline" }).getByRole("link", { name: "Long" }).waitFor();
  await keys.press("j");
  await isAt("Long");
  await keys.press("j");
  await isAt("Broken");
  await keys.press("j");
  await isAt("Broken");
  await keys.press("j");
  await isAt("Long");
  await keys.press("k", "k");
  await isAt("Broken");
  await keys.press("r");
  const dialog = page.getByRole("dialog", { name: "Run Broken now?" });
  await dialog.getByText("Belfry starts it now").waitFor();
  await keys.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await isAt("Broken");
  await keys.press("Enter");
  // the page before it has the same words, and stays until this one is drawn
  await page.getByRole("heading", { name: "Broken", level: 1 }).waitFor();
  expect(page.url()).toContain(id);
  await keys.press("Escape");
  await page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
  await page
    .getByRole("region", { name: /^Running/ })
    .getByRole("link", { name: "Long" })
    .waitFor();
  await keys.press("j");
  await isAt("Long");
  await keys.press("e");
  await page.getByRole("heading", { name: "Edit Long" }).waitFor();
  expect(ui.errors).toEqual([]);
});

test("Escape leaves a field with its text, and then the page", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: shell("true") });
  await client.tasks.create({ name: "Report", command: shell("true") });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const keys = plainKeys(page);
  await keys.press("g", "t");
  await page.getByRole("row", { name: /Report/ }).waitFor();
  await keys.press("/");
  await keys.type("back");
  await page.getByRole("row", { name: /Report/ }).waitFor({ state: "detached" });
  await keys.press("Escape");
  expect(await page.getByLabel("Search tasks").inputValue()).toBe("back");
  await keys.press("j");
  await keys.press("Enter");
  await page.getByRole("heading", { name: "Backup", level: 1 }).waitFor();
  await keys.press("Escape");
  await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();

  // a page that was opened by its address leads to the list to which it belongs
  const other = await ui.context.newPage();
  await other.goto(ui.server.newAddress());
  await other.locator("#places").waitFor({ state: "attached" });
  await other.evaluate(`location.replace("#/tasks/${task.id}")`);
  await other.getByRole("heading", { name: "Backup", level: 1 }).waitFor();
  await other.keyboard.press("Escape");
  await other.getByRole("heading", { name: /^(Tasks|Now)$/, level: 1 }).waitFor();
});

test("with Ctrl, Cmd or Alt held, no key does anything but Ctrl K and Cmd K", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: shell("true") });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const keys = plainKeys(page);
  const palette = page.getByRole("dialog", { name: "Search", exact: true });
  const place = () => page.evaluate<string>("location.hash + document.activeElement.tagName");
  await ui.go(`/tasks/${task.id}`);
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  await page.getByRole("heading", { level: 1 }).focus();
  const before = await place();
  for (const held of ["Control", "Meta", "Alt", "Control+Meta", "Control+Alt"])
    for (const key of ["j", "e", "r", "/", "?"]) await keys.press(`${held}+${key}`);
  for (const search of ["Control+Shift+k", "Meta+Shift+k", "Control+Meta+k", "Alt+k"]) await keys.press(search);
  // nor do they stand between two keys that belong together
  for (const held of ["Control+x", "Meta+x", "Alt+x"]) await keys.press("g", held, "a");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await place()).toBe(before);
  // a capital is that of Caps Lock
  for (const search of ["Control+k", "Meta+k", "Control+K"]) {
    await keys.press(search);
    await palette.waitFor();
    await keys.press("Escape");
    await palette.waitFor({ state: "detached" });
  }
  await keys.press("g", "a");
  await page.getByRole("heading", { name: "Agenda", level: 1 }).waitFor();
  expect(ui.errors).toEqual([]);
});

test("on every page, slash searches the page or everything, and the list of keys has what works there", async () => {
  await using daemon = await startDaemon();
  const samples = await makeSamples(daemon);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const keys = plainKeys(page);
  const palette = page.getByRole("dialog", { name: "Search", exact: true });
  await forEach(allScreens, async ({ path, heading }) => {
    await ui.go(path(samples));
    await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
    await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1 }).focus();
    const hasSearch = await page.locator("main input[type=search]").first().isVisible();
    const hasRows =
      (await page.locator("main :is([data-row][tabindex='0'], [data-row]:has(a, button), li:has(a, button))").count()) >
      0;
    await keys.press("?");
    const list = page.getByRole("dialog", { name: "Keys" });
    await list.waitFor();
    const shown = new Map(
      await page.evaluate<readonly [string, string][]>(
        `[...document.querySelectorAll("[role=dialog] dt")].map((key) => [key.innerText, key.nextElementSibling.innerText])`,
      ),
    );
    await keys.press("Escape");
    await list.waitFor({ state: "detached" });
    expect(shown.get("/")).toMatch(hasSearch ? /^Search (on this page|the output)$/ : /^Search for anything$/);
    expect(shown.has("j")).toBe(hasRows);
    await page.getByRole("heading", { level: 1 }).focus();
    await keys.press("/");
    if (hasSearch) await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("search");
    else await palette.waitFor();
    await keys.press("Escape");
    await palette.waitFor({ state: "detached" });
    if (!hasRows) return;
    await keys.press("j");
    await expect.poll(() => page.evaluate("document.activeElement.closest('[data-row], li') !== null")).toBe(true);
  });
  await expectSound(ui);
});

import { connectLocal } from "@belfry/client/local";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { openKeyboard } from "./support/keyboard.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const command = { kind: "exec", program: "true" } as const;

async function startWith(withData: (client: ReturnType<typeof connectLocal>) => Promise<void>, width = 1_280) {
  const daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  await withData(client);
  const ui = await openScreens({ screens, socket: daemon.socketPath, width });
  return {
    client,
    ui,
    page: ui.page,
    [Symbol.asyncDispose]: async () => {
      await ui[Symbol.asyncDispose]();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

/** The name of a row, without what is in a group. */
const nameOf = `row => row.querySelector("[role=gridcell]").innerText.replace(/^[▾▸]/, "").replace(/\\s+\\d+ (task|subgroup).*/s, "").trim()`;

/** The rows that are drawn: their names, their levels, and whether they are unfolded. */
function rowsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    `[...document.querySelectorAll("[data-rows] > [role=row]")]
      .sort((a, b) => a.dataset.row - b.dataset.row)
      .map((row) => row.ariaLevel + " " + (${nameOf})(row) + ({ true: " -", false: " +" }[row.ariaExpanded] ?? ""))`,
  );
}

async function addTasks(client: ReturnType<typeof connectLocal>, group: string, count: number): Promise<void> {
  const tasks = Array.from({ length: count }, (_, index) => ({
    key: String(index),
    name: `${group} ${index + 1}`,
    command,
    group_key: "g",
  }));
  await client.import.create({ groups: [{ key: "g", name: group }], tasks });
}

test("tasks stand below their groups, which fold by keyboard and stay folded while a task is looked at", async () => {
  await using at = await startWith(async (client) => {
    const web = await client.groups.create({ name: "Web" });
    const shop = await client.groups.create({ name: "Shop", parent_id: web.id, enabled: false });
    const carts = await client.groups.create({ name: "Carts", parent_id: shop.id });
    const backups = await client.groups.create({ name: "Backups" });
    await client.groups.create({ name: "Empty" });
    await client.holds.place({ group_id: backups.id, until: null, reason: null });
    for (const [name, group_id] of [
      ["Alone", null],
      ["Copy", backups.id],
      ["Deploy", web.id],
      ["Check", shop.id],
      ["Count", carts.id],
    ] as const)
      await client.tasks.create({ name, command, group_id });
  }, 360);
  const { page, ui } = at;
  const keys = openKeyboard(page);
  const row = (name: RegExp) => page.getByRole("row", { name });
  const isAt = (name: RegExp) => expect.poll(() => row(name).evaluate((it) => it.matches(":focus"))).toBe(true);
  const sees = (...rows: readonly string[]) => expect.poll(() => rowsOf(page)).toEqual(rows);
  await ui.go("/tasks");
  await page.getByRole("treegrid", { name: "Tasks" }).waitFor();
  const whole = ["1 Alone", "1 Backups -", "2 Copy", "1 Empty", "1 Web -", "2 Deploy", "2 Shop -", "3 Check"] as const;
  await sees(...whole, "3 Carts -", "4 Count");
  await row(/Web 1 task, 1 subgroup/).waitFor();
  await row(/Shop 1 task, 1 subgroup Disabled/).waitFor();
  await row(/Carts 1 task Group disabled/).waitFor();
  await row(/Backups 1 task Held/).waitFor();
  await row(/Empty 0 tasks/).waitFor();
  await expectSound(ui);

  // to the left, a row leads to its group, and a group folds
  await row(/Count/).focus();
  await keys.press("ArrowLeft");
  await isAt(/Carts/);
  await keys.press("ArrowLeft");
  await sees(...whole, "3 Carts +");
  await keys.press("ArrowLeft");
  await isAt(/Shop/);
  await keys.press("ArrowLeft");
  await sees(...whole.slice(0, 6), "2 Shop +");
  await keys.press("k");
  await isAt(/Deploy/);
  await keys.press("j");
  await isAt(/Shop/);
  // to the right, a group unfolds, and then leads to its first row
  await keys.press("ArrowRight");
  await sees(...whole, "3 Carts +");
  await keys.press("ArrowRight");
  await isAt(/Check/);
  await keys.press("ArrowRight", "ArrowDown");
  await isAt(/Carts/);
  await keys.press("Enter");
  await sees(...whole, "3 Carts -", "4 Count");
  await keys.press("Enter");
  await sees(...whole, "3 Carts +");
  await row(/Backups/).click();
  const folded = ["1 Alone", "1 Backups +", "1 Empty", "1 Web -", "2 Deploy", "2 Shop -", "3 Check", "3 Carts +"];
  await sees(...folded);
  await row(/Deploy/).focus();
  await keys.press("Enter");
  await page.getByRole("heading", { name: "Deploy", exact: true }).waitFor();
  await page.goBack();
  await sees(...folded);

  // a search shows what it finds, with its groups, wherever they are folded
  await page.getByLabel("Search tasks").fill("co");
  await page.getByRole("row", { name: /Web \/ Shop \/ Carts \/ Count/ }).waitFor();
  await page.getByRole("row", { name: /Backups \/ Copy/ }).waitFor();
  await page.getByLabel("Search tasks").fill("");
  await sees(...folded);

  // what can be done with a group is on its row
  await page.getByRole("button", { name: "Actions of Shop" }).click();
  await page.getByRole("menuitem", { name: "Enable the group" }).click();
  await row(/Carts/).getByText("Group disabled").waitFor({ state: "detached" });
  await sees(...folded);
  await page.getByRole("button", { name: "Actions of Shop" }).click();
  await page.getByRole("menuitem", { name: "Show only this group" }).click();
  await page.getByRole("row", { name: /Web \/ Shop \/ Check/ }).waitFor();
});

test("with more tasks than one answer has, groups are folded and read when they are unfolded, in parts", async () => {
  await using at = await startWith(async (client) => {
    await client.tasks.create({ name: "Alone", command });
    await addTasks(client, "Many", 230);
    await addTasks(client, "Few", 3);
    const groups = Array.from({ length: 500 }, (_, index) => ({ key: String(index), name: `Other ${index}` }));
    await client.import.create({ groups, tasks: [] });
  });
  const { page, ui } = at;
  /** The parts of groups that were asked for. What has been read may be read again. */
  const asked = new Set<string>();
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const group = searchParams.get("group_id");
    if (pathname.endsWith("/tasks") && request.method() === "GET" && group !== null)
      asked.add(`${group} ${searchParams.get("cursor") ?? "begin"}`);
  });
  const askedOf = () => [...asked].map((part) => part.split(" ")[0]);
  await ui.go("/tasks");
  const row = (name: RegExp) => page.getByRole("row", { name });
  await expect
    .poll(async () => (await rowsOf(page)).slice(0, 5))
    .toEqual(["1 Tasks in no group -", "2 Alone", "1 Few +", "1 Many +", "1 Other 0 +"]);
  await expectSound(ui);
  expect(askedOf()).toEqual([]);

  const { groups } = await at.client.groups.list({ q: "Many" });
  const many = groups[0]!.id;
  await row(/Many/).focus();
  await page.keyboard.press("ArrowRight");
  await row(/Many 100 tasks or more/).waitFor();
  expect([...asked]).toEqual([`${many} begin`]);
  // what is below comes when somebody goes there
  await page.mouse.move(600, 500);
  const isDrawn = async (name: RegExp) => (await rowsOf(page)).some((drawn) => name.test(drawn));
  await expect
    .poll(async () => {
      // each part pushes down what is below the group, and a busy machine may draw nothing between two turns of the wheel
      if (!(await isDrawn(/^1 Other \d+/))) await page.mouse.wheel(0, 800);
      else if (!(await isDrawn(/^2 Many \d+/))) await page.mouse.wheel(0, -200);
      return askedOf();
    })
    .toEqual([many, many, many]);
  // from far below, the arrow leads back to the group
  await row(/^Many \d+ Ready/)
    .first()
    .focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => row(/Many 230 tasks/).evaluate((it) => it.matches(":focus"))).toBe(true);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(async () => (await rowsOf(page)).slice(2, 5)).toEqual(["1 Few +", "1 Many +", "1 Other 0 +"]);
  expect(ui.errors).toEqual([]);
});

test("without groups, the first of many tasks are there after one answer", async () => {
  await using at = await startWith(async (client) => {
    const tasks = Array.from({ length: 230 }, (_, index) => ({ key: String(index), name: `Task ${index}`, command }));
    await client.import.create({ tasks });
  });
  const { page, ui } = at;
  const names: string[] = [];
  for await (const { name } of at.client.tasks.list()) names.push(name);
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/v1/tasks?*grouped=false*", async (route) => {
    await mayAnswer;
    await route.continue();
  });
  const asks = page.waitForRequest(/grouped=false/);
  await ui.go("/tasks");
  await asks;
  await expect
    .poll(async () => (await rowsOf(page)).slice(0, 10))
    .toEqual(names.slice(0, 10).map((name) => `1 ${name}`));
  // the answer that has the others too moves nothing
  answer();
  await page.locator("[data-rows]").hover();
  for (const [index, name] of names.entries()) {
    const row = page.locator(`[data-row="${index}"]`);
    if (index % 10 === 0) await row.scrollIntoViewIfNeeded();
    await row.getByText(name, { exact: true }).waitFor();
  }
  expect(names).toHaveLength(230);
  expect(ui.errors).toEqual([]);
});

test("the task that is one too many for an answer folds nothing and moves nothing", async () => {
  let few = "";
  await using at = await startWith(async (client) => {
    await client.tasks.create({ name: "Alone", command });
    few = (await client.groups.create({ name: "Few" })).id;
    await client.tasks.create({ name: "One", command, group_id: few });
    await addTasks(client, "Many", 98);
  });
  const { page, ui, client } = at;
  await ui.go("/tasks");
  const row = page.getByRole("row", { name: /^One / });
  await row.hover();
  const before = await rowsOf(page);
  await client.tasks.create({ name: "Two", command, group_id: few });
  await page.getByRole("row", { name: /^Two / }).waitFor();
  await client.tasks.create({ name: "Three", command, group_id: few });
  await page.getByRole("row", { name: /^Three / }).waitFor();
  const added = ["2 Three", "2 Two"];
  const isOld = (name: string) => !added.includes(name);
  expect((await rowsOf(page)).filter(isOld)).toEqual(before.slice(0, -2));
  await page.getByRole("row", { name: /Few 3 tasks/ }).waitFor();
  expect(ui.errors).toEqual([]);
});

test.each([1_280, 360])("a new task moves nothing that somebody points at, %i pixels wide", async (width) => {
  let web = "";
  await using at = await startWith(async (client) => {
    web = (await client.groups.create({ name: "Web" })).id;
    for (const name of ["Check", "Deploy", "Mirror"]) await client.tasks.create({ name, command, group_id: web });
    await client.tasks.create({ name: "Alone", command });
  }, width);
  const { page, ui, client } = at;
  const row = (name: RegExp) => page.getByRole("row", { name });
  await ui.go("/tasks");
  const place = async () => (await row(/Deploy/).boundingBox())!.y;
  await row(/Deploy/).hover();
  const y = await place();
  const [check] = (await client.tasks.list({ q: "Check" })).tasks;
  await client.tasks.create({ name: "Zip", command, group_id: web });
  await row(/Zip/).waitFor();
  await client.tasks.create({ name: "Another", command, group_id: web });
  await client.tasks.delete(check!.id);
  const show = page.getByRole("button", { name: "Show 1 new" });
  await show.waitFor();
  await row(/Check.*Gone/s).waitFor();
  expect(await row(/Another/).count()).toBe(0);
  expect(await place()).toBe(y);
  await expectSound(ui);
  // the focus holds them too
  await row(/Deploy/).focus();
  await page.mouse.move(5, 5);
  await page.keyboard.press("j");
  await client.tasks.create({ name: "Zebra", command, group_id: web });
  await row(/Zebra/).waitFor();
  expect(await place()).toBe(y);
  await show.click();
  await row(/Another/).waitFor();
  await row(/Check/).waitFor({ state: "detached" });
  expect(ui.errors).toEqual([]);
});

import type { Client } from "@belfry/client";
import { connectLocal } from "@belfry/client/local";
import { expect, test } from "vitest";
import { rewriteRows } from "../../../packages/server/tests/support/damage.ts";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { expectSound, openScreens, type Screens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

async function addTask(client: Client, name: string, expressions: readonly string[], more: object = {}) {
  const task = await client.tasks.create({ name, command: { kind: "shell", script: "true" }, ...more });
  for (const expression of expressions)
    await client.schedules.create({ task_id: task.id, kind: "cron", expression, time_zone: "UTC" });
  return task;
}

const rows = (ui: Screens) => ui.page.locator("main li");

const dayMs = 86_400_000;
const dateAt = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The next date, after tomorrow, on which the clocks in Europe go forward: the last Sunday of a March. */
function nextForward(): string {
  const year = new Date().getUTCFullYear();
  const sundays = [year, year + 1].map((one) => {
    const end = new Date(Date.UTC(one, 2, 31));
    return end.getTime() - end.getUTCDay() * dayMs;
  });
  return dateAt(sundays.find((at) => at > Date.now() + 2 * dayMs)!);
}

test("the agenda of a week is grouped by day, in the zone that was chosen", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const group = await client.groups.create({ name: "Nightly" });
  await addTask(client, "Backup", ["30 23 * * *"], { group_id: group.id });
  await addTask(client, "Heartbeat", ["* * * * *"]);
  const off = await addTask(client, "Old report", ["0 4 * * *"]);
  await client.tasks.disable(off.id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  // whole days alone: how much is left of today depends on the time of the test
  const from = dateAt(Date.now() + 2 * dayMs);
  await ui.go(`/agenda?days=7&zone=UTC&from=${from}`);
  await page.getByRole("heading", { name: "Agenda" }).waitFor();
  await expect.poll(() => rows(ui).filter({ hasText: "Backup" }).count()).toBe(7);
  expect(await rows(ui).filter({ hasText: "Backup" }).first().innerText()).toContain("23:30");
  expect(await rows(ui).filter({ hasText: "Heartbeat" }).count()).toBe(7);
  expect(await rows(ui).filter({ hasText: "Heartbeat" }).last().innerText()).toMatch(
    /every minute, 1,440 times, the last at 23:59/,
  );
  await page.getByText("The task is disabled, so schedule").waitFor();
  await ui.picture("agenda-week");
  await expectSound(ui);

  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await rows(ui).filter({ hasText: "Backup" }).filter({ hasText: "08:30" }).first().waitFor();
  expect(page.url()).toContain("zone=Asia");

  await page.getByLabel("Group").selectOption("Nightly");
  await expect.poll(() => rows(ui).filter({ hasText: "Heartbeat" }).count()).toBe(0);
  await page.setViewportSize({ width: 360, height: 740 });
  await ui.picture("agenda-narrow");
  await expectSound(ui);

  // a task that somebody disables leaves the agenda without a reload
  const [backup] = (await client.tasks.list({ q: "Backup" })).tasks;
  await client.tasks.disable(backup!.id);
  await page.getByRole("heading", { name: "Nothing is scheduled" }).waitFor();
});

test("a change of clocks is marked, with the times that it skips, and a hold is said", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Sync", command: { kind: "shell", script: "true" } });
  await client.schedules.create({
    task_id: task.id,
    kind: "cron",
    expression: "30 2 * * *",
    time_zone: "Europe/Berlin",
    dst: { gap: "skip" },
  });
  await client.holds.place({ reason: "moving" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath, isDark: true });
  await ui.go(`/agenda?from=${nextForward()}&zone=Europe/Berlin`);
  await ui.page.getByText("The clocks go forward by 1 h in Europe/Berlin.").waitFor();
  await ui.page.getByText("02:30 does not run: the clocks in Europe/Berlin go forward 1 hour").waitFor();
  await ui.page.getByText("No task starts until the hold is released. These times stay in the plan.").waitFor();
  await ui.picture("agenda-clocks");
  await expectSound(ui);
});

test("the month of a task names the times of each day, and counts those of a frequent schedule", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const daily = await addTask(client, "Backup", ["30 11 * * *"]);
  const frequent = await addTask(client, "Heartbeat", ["* * * * *"]);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const month = ui.page.getByRole("group", { name: "The coming month" });
  for (const [{ id }, text] of [
    [daily, /^1[23]:30$/],
    [frequent, /^1,440 times$/],
  ] as const) {
    await ui.goToTask(id);
    await ui.page.getByRole("button", { name: "▸ The coming month" }).click();
    // three weeks that have not begun, of which a change of clocks is in one at most
    await expect.poll(() => month.getByText(text).count()).toBeGreaterThanOrEqual(14);
  }
  await expectSound(ui);
  await month.scrollIntoViewIfNeeded();
  await ui.picture("task-month");
  // nothing is wider than its day, or than the page
  await ui.page.setViewportSize({ width: 360, height: 740 });
  for (const { id } of [daily, frequent]) {
    await ui.goToTask(id);
    await ui.page.getByRole("button", { name: "▸ The coming month" }).click();
    await month
      .getByText(/:30|times/)
      .nth(14)
      .waitFor();
    await month.scrollIntoViewIfNeeded();
    await ui.picture(id === daily.id ? "task-month-narrow" : "task-month-narrow-count");
    const days = await month.locator("> div").evaluateAll((all) => all.map((day) => day.scrollWidth - day.clientWidth));
    expect(Math.max(...days)).toBe(0);
    expect(await ui.page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  }
  await expectSound(ui);
});

test("the month of a task says nothing before it is read, says why it cannot be read, and follows its group", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const group = await client.groups.create({ name: "Nightly" });
  const { id } = await addTask(client, "Backup", ["30 11 * * *"], { group_id: group.id });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.goToTask(id);
  await page.getByText("30 11 * * *").first().waitFor();
  const month = page.getByRole("group", { name: "The coming month" });
  const times = month.getByText(/^1[23]:30$/);
  const answers = Promise.withResolvers<void>();
  const address = (url: URL) => url.pathname.endsWith("/timeline") && url.searchParams.get("buckets") === "7";
  await page.route(address, async (route) => {
    await answers.promise;
    await route.continue();
  });
  rewriteRows(daemon.dataDir, "ALTER TABLE runs RENAME TO runs_away");
  await page.getByRole("button", { name: "▸ The coming month" }).click();
  await month.and(page.locator("[aria-busy=true]")).waitFor();
  expect(await month.locator(".skeleton").count()).toBeGreaterThan(20);
  await expectSound(ui);
  answers.resolve();
  const schedules = page.getByRole("region", { name: "Schedules" });
  await schedules.getByRole("alert").getByText("request req_").first().waitFor();
  expect(await month.count()).toBe(0);
  await ui.picture("task-month-unread");
  expect(await ui.findSeriousFaults()).toEqual([]);
  rewriteRows(daemon.dataDir, "ALTER TABLE runs_away RENAME TO runs");
  await schedules.getByRole("button", { name: "Try again" }).first().click();
  await expect.poll(() => times.count()).toBeGreaterThanOrEqual(28);
  await client.groups.update(group.id, { enabled: false });
  await expect.poll(() => times.count()).toBe(0);
  expect(ui.errors).toEqual([]);
});

test.each([1_280, 360])("the agenda moves nothing that somebody points at, %i pixels wide", async (width) => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const first = await addTask(client, "Backup", ["0 4 * * *"]);
  const second = await addTask(client, "Report", ["0 5 * * *"]);
  await using ui = await openScreens({ screens, socket: daemon.socketPath, width });
  const { page } = ui;
  const from = dateAt(Date.now() + 2 * dayMs);
  await ui.go(`/agenda?zone=UTC&from=${from}`);
  const row = (name: string) => page.locator("main ol li").filter({ hasText: name });
  const placeOf = async (name: string) => (await row(name).boundingBox())!.y;
  await row("Report").hover();
  const y = await placeOf("Report");
  await client.tasks.disable(first.id);
  await row("Backup").getByText("Gone").waitFor();
  await page.getByText("1 run", { exact: true }).waitFor();
  await addTask(client, "Early", ["0 3 * * *"]);
  await addTask(client, "Late", ["0 6 * * *"]);
  await client.holds.place({ reason: "moving" });
  await page.getByRole("button", { name: "Show 1 new", exact: true }).waitFor();
  await page.getByRole("button", { name: "Show 1 new hold" }).waitFor();
  await row("Late").waitFor();
  expect(await placeOf("Report")).toBe(y);
  // also if nothing is left
  for (const { id } of (await client.tasks.list()).tasks) if (id !== first.id) await client.tasks.disable(id);
  await row("Report").getByText("Gone").waitFor();
  expect(await placeOf("Report")).toBe(y);
  expect(await page.getByRole("heading", { name: "Nothing is scheduled" }).count()).toBe(0);
  await expectSound(ui);
  await ui.picture(`agenda-steady-${width}`);
  await page.mouse.move(1, 1);
  await page.getByRole("heading", { name: "Nothing is scheduled" }).waitFor();
  await page.getByText("No task starts until the hold is released.").waitFor();
  await client.tasks.enable(second.id);
  await row("Report").getByText("05:00").waitFor();
});

test("an agenda of one group names the group by its path, and no disabled group that it is not in", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const web = await client.groups.create({ name: "Web", enabled: false });
  const shop = await client.groups.create({ name: "Shop", parent_id: web.id });
  await client.groups.create({ name: "Nightly", enabled: false });
  const backups = await client.groups.create({ name: "Backups" });
  await addTask(client, "Check", ["0 4 * * *"], { group_id: shop.id });
  const copy = await addTask(client, "Copy", ["0 5 * * *"], { group_id: backups.id });
  await using ui = await openScreens({ screens, socket: daemon.socketPath, isDark: true });
  const { page } = ui;
  const from = dateAt(Date.now() + 2 * dayMs);
  await ui.go(`/agenda?zone=UTC&from=${from}`);
  const closed = (path: string) => page.getByText(`The group ${path} is disabled: its schedules start nothing.`);
  await closed("Web").waitFor();
  await closed("Nightly").waitFor();
  await ui.picture("agenda-left-out");
  await page.getByLabel("Group").selectOption("Web / Shop");
  await closed("Nightly").waitFor({ state: "detached" });
  await closed("Web").waitFor();
  await page.getByLabel("Group").selectOption("All groups");
  await closed("Nightly").waitFor();
  await page.getByRole("combobox", { name: "Task", exact: true }).selectOption(copy.id);
  await closed("Nightly").waitFor({ state: "detached" });
  await rows(ui).filter({ hasText: "Copy" }).first().waitFor();
  expect(await closed("Web").count()).toBe(0);
  expect(ui.errors).toEqual([]);
});

test("of many days, those in the window are read, and only their rows are drawn", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  // each day has 26 rows
  for (let index = 0; index < 5; index += 1) await addTask(client, `Report ${index}`, ["0 1,5,9,13,17 * * *"]);
  for (let index = 0; index < 20; index += 1) await addTask(client, `Copy ${index}`, [`${index} 3 * * *`]);
  const backup = await addTask(client, "Backup", ["30 4 * * *"]);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const from = dateAt(Date.now() + 2 * dayMs);
  const asked = agendasAskedBy(ui);
  await ui.go(`/agenda?days=31&zone=UTC&from=${from}`);
  await rows(ui).filter({ hasText: "Copy 19" }).first().waitFor();
  // a week is known, as each row is probably 33 pixels high
  const height = () =>
    page.evaluate<number>("document.querySelector('main section:has(li)').parentElement.clientHeight");
  await expect.poll(height).toBeGreaterThan(6.5 * 27 * 33);
  // the whole, and a week
  expect(new Set(asked).size).toBe(8);
  expect(await rows(ui).count()).toBeLessThan(80);
  const first = rows(ui).first();
  expect([await first.getAttribute("aria-posinset"), await first.getAttribute("aria-setsize")]).toEqual(["1", "26"]);
  await expectSound(ui);
  await ui.picture("agenda-many");

  // under a stream of changes, what is out of sight is not read again
  const before = asked.length;
  const begun = Date.now();
  for (let index = 0; index < 40; index += 1) await client.tasks.update(backup.id, { name: `Backup ${index}` });
  await rows(ui).filter({ hasText: "Backup 39" }).first().waitFor();
  const pauses = Math.ceil((Date.now() - begun) / 5_000) + 1;
  const again = asked.slice(before).filter((until) => until !== asked[0]);
  expect(new Set(again).size).toBeLessThanOrEqual(3);
  expect(again.length).toBeLessThanOrEqual(pauses * 3);

  // the keys go from row to row, and on to the next day
  await first.getByRole("link").first().focus();
  const isNextDrawn = `(() => {
    const rows = [...document.querySelectorAll("main li[data-row]")];
    return rows.at(-1) !== document.activeElement.closest("li");
  })()`;
  for (let steps = 0; steps < 40; steps += 1) {
    await expect.poll(() => page.evaluate<boolean>(isNextDrawn), { interval: 5 }).toBe(true);
    await page.keyboard.press("j");
  }
  expect(await page.locator("main li:has(:focus)").getAttribute("data-row")).toBe("42");

  const last = dateAt(Date.parse(from) + 30 * dayMs);
  await expect
    .poll(async () => {
      await page.keyboard.press("End");
      return rows(ui).locator(`time[datetime^="${last}"]`).count();
    })
    .toBeGreaterThan(20);
  // the last day ends with the whole
  expect(new Set(asked).size).toBe(31);
  expect(await rows(ui).count()).toBeLessThan(80);
  expect(ui.errors).toEqual([]);
});

test("many days that no series reaches into are read at once", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  await addTask(client, "Invoices", ["0 4 1 * *", "0 5 11 * *", "0 6 21 * *"]);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const asked = agendasAskedBy(ui);
  const from = dateAt(Date.now() + 2 * dayMs);
  await ui.go(`/agenda?days=31&zone=UTC&from=${from}`);
  await expect.poll(() => rows(ui).filter({ hasText: "Invoices" }).count()).toBeGreaterThanOrEqual(2);
  expect(new Set(asked).size).toBe(1);
  expect(await ui.page.getByRole("main").getByRole("status", { name: "Loading" }).count()).toBe(0);
  expect(ui.errors).toEqual([]);
});

/** The ends of the agendas that the page asks for from now on. */
function agendasAskedBy({ page }: Screens): readonly string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/agenda")) asked.push(searchParams.get("until")!);
  });
  return asked;
}

import { connectLocal } from "@belfry/client/local";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { holdSocket } from "./support/held-socket.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const shell = (script: string) => ({ kind: "shell", script }) as const;

test.each([1_280, 360])("no list of the page Now moves what somebody points at, %i pixels wide", async (width) => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const runOf = async (name: string, script: string) => {
    const task = await client.tasks.create({ name, command: shell(script) });
    return client.tasks.run(task.id);
  };
  const endOf = (id: string) => until("the end", async () => (await client.runs.get(id)).ended_at);
  const first = await runOf("First", "sleep 600");
  const second = await runOf("Second", "sleep 600");
  await endOf((await runOf("Broken", "exit 3")).id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath, width });
  const { page } = ui;
  const running = page.getByRole("region", { name: /^Running now/ });
  const failures = page.getByRole("region", { name: /^Failed since/ });
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  const placeOf = async (name: string) => (await row(name).first().boundingBox())!.y;
  await running.getByRole("link", { name: "Second" }).waitFor();
  await failures.getByRole("link", { name: "Broken" }).waitFor();
  // the parts of the header come one by one, and may take another line
  await page.getByText("Daemon healthy").waitFor();
  await page.getByRole("button", { name: "New task" }).waitFor();

  // a run that ends keeps its row, and a run that begins waits
  await row("First").first().hover();
  const y = await placeOf("First");
  await client.runs.cancel(second.id);
  await row("Second").getByText("Ended").waitFor();
  await runOf("Third", "sleep 600");
  await running.getByRole("button", { name: "Show 1 new" }).waitFor();
  expect(await placeOf("First")).toBe(y);
  expect(await running.getByRole("link", { name: "Third" }).count()).toBe(0);
  await expectSound(ui);
  await ui.picture(`steady-running-${width}`);
  await running.getByRole("button", { name: "Show 1 new" }).click();
  await running.getByRole("link", { name: "Third" }).waitFor();
  await running.getByRole("link", { name: "Second" }).waitFor({ state: "detached" });

  // nor do the lists above move what is below them
  await failures.getByRole("link", { name: "Broken" }).focus();
  await page.mouse.move(1, 1);
  const below = await placeOf("Broken");
  await runOf("Fourth", "sleep 600");
  await running.getByRole("button", { name: "Show 1 new" }).waitFor();
  await client.runs.cancel(first.id);
  await row("First").getByText("Ended").waitFor();
  await client.holds.place({ group_id: null, until: null, reason: "Upgrade" });
  await page.getByRole("button", { name: "Show 1 new hold" }).waitFor();
  expect(await placeOf("Broken")).toBe(below);
  await expectSound(ui);
  await ui.picture(`steady-failures-${width}`);

  // once the focus is elsewhere, everything is as it is now
  await page.getByRole("heading", { level: 1 }).focus();
  await running.getByRole("link", { name: "Fourth" }).waitFor();
  await page.getByText("“Upgrade”").waitFor();
  await row("First").first().waitFor({ state: "detached" });
});

test("a list that waits with its first row does not say that it is empty", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const broken = await client.tasks.create({ name: "Broken", command: shell("exit 3") });
  await client.runs.wait((await client.tasks.run(broken.id)).id);
  const long = await client.tasks.create({ name: "Long", command: shell("sleep 600") });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const failure = page.getByRole("region", { name: /^Failed since/ }).getByRole("link", { name: "Broken" });
  await failure.hover();
  const y = (await failure.boundingBox())!.y;
  await page.getByText("Nothing is running.").waitFor();
  await client.tasks.run(long.id);
  await page.getByRole("button", { name: "Show 1 new" }).waitFor();
  expect(await page.getByText("Nothing is running.").isVisible()).toBe(false);
  expect((await failure.boundingBox())!.y).toBe(y);
});

test("a table keeps the rows of what was deleted until they are left, and another search replaces them", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: shell("true") });
  const made = new Map<string, string>();
  for (const name of ["Alpha", "Beta", "Gamma"])
    made.set(name, (await client.triggers.create({ name, target_task_id: task.id })).trigger.id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/triggers");
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
  // the newest one stands first
  await row("Alpha").hover();
  const y = (await row("Alpha").boundingBox())!.y;
  await client.triggers.delete(made.get("Gamma")!);
  await row("Gamma").getByText("Gone").waitFor();
  await client.triggers.create({ name: "Delta", target_task_id: task.id });
  await page.getByRole("button", { name: "Show 1 new" }).waitFor();
  expect((await row("Alpha").boundingBox())!.y).toBe(y);
  await expectSound(ui);
  await ui.picture("steady-table");
  await page.keyboard.press("/");
  await page.keyboard.type("bet");
  await row("Gamma").waitFor({ state: "detached" });
  await row("Beta").waitFor();
  expect(await row("Alpha").count()).toBe(0);
  expect(ui.errors).toEqual([]);
});

test.each([1_280, 360])("the last row of a list keeps its place too, %i pixels wide", async (width) => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: shell("true") });
  const { trigger } = await client.triggers.create({ name: "Deploy", target_task_id: task.id });
  await using ui = await openScreens({ screens, socket: daemon.socketPath, width });
  const { page } = ui;
  const gone = async (place: string, name: RegExp, remove: () => Promise<unknown>) => {
    await ui.go(place);
    const row = page.getByRole("row", { name });
    await row.hover();
    const { y } = (await row.boundingBox())!;
    await remove();
    await row.getByText("Gone").first().waitFor();
    expect((await row.boundingBox())!.y).toBe(y);
    expect(await page.getByRole("heading", { level: 2 }).count()).toBe(0);
    await expectSound(ui);
    await page.mouse.move(1, 1);
  };
  await gone("/triggers", /Deploy/, () => client.triggers.delete(trigger.id));
  await page.getByRole("heading", { name: "No triggers yet" }).waitFor();
  await gone("/tasks", /Backup/, () => client.tasks.delete(task.id));
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
});

test.each([1_280, 360])(
  "rows of the former filter are dimmed and cannot be acted on, %i pixels wide",
  async (width) => {
    await using daemon = await startDaemon();
    const client = connectLocal({ socketPath: daemon.socketPath });
    const made = new Map<string, string>();
    for (const name of ["Backup", "Report"])
      made.set(name, (await client.tasks.create({ name, command: shell("true") })).id);
    await client.tasks.disable(made.get("Report")!);
    await client.watchers.create({
      name: "Inbox",
      target_task_id: made.get("Backup")!,
      kind: "file",
      path: "/srv/inbox",
    });
    await using held = await holdSocket(daemon.socketPath);
    await using ui = await openScreens({ screens, socket: held.path, width, isDark: true });
    const { page } = ui;
    const isBusy = () => page.locator("[role=table][aria-busy=true]").waitFor();
    const isAnswered = () => page.locator("[aria-busy=true]").waitFor({ state: "detached" });
    const run = page.getByRole("button", { name: "Run Backup" });
    await ui.go("/tasks?state=enabled");
    await run.waitFor();
    expect(await run.isEnabled()).toBe(true);
    // what somebody points at belongs to the former filter as well
    await page.getByRole("row", { name: /Backup/ }).hover();
    held.treat("hold");
    await page.getByLabel("State").selectOption("Disabled");
    await isBusy();
    expect(await run.isDisabled()).toBe(true);
    const colours = `[...document.querySelectorAll("[data-row] *")].map((part) => getComputedStyle(part).color)`;
    await expect.poll(async () => new Set(await page.evaluate<string[]>(colours)).size).toBe(1);
    const row = page.getByRole("row", { name: /Backup/ });
    await row.focus();
    await page.keyboard.press("r");
    expect(await page.getByRole("dialog").count()).toBe(0);
    held.treat("pass");
    await page.getByRole("row", { name: /Report/ }).waitFor();
    await row.waitFor({ state: "detached" });
    await isAnswered();

    // an answer is awaited for a limited time, and this takes some
    held.treat("hold");
    await page.getByLabel("Search tasks").fill("report");
    await isBusy();
    await expectSound(ui);
    await ui.picture(`former-tasks-${width}`);
    held.treat("pass");
    await isAnswered();

    // that nothing matched is not said of the next filter
    await page.getByLabel("Search tasks").fill("nothing");
    await page.getByText("No task matches these filters.").waitFor();
    held.treat("hold");
    await page.getByLabel("Search tasks").fill("rep");
    await page.getByRole("status", { name: "Loading" }).waitFor();
    expect(await page.getByText("No task matches these filters.").count()).toBe(0);
    held.treat("pass");
    await page.getByRole("row", { name: /Report/ }).waitFor();

    await ui.go(`/watchers?task=${made.get("Backup")}`);
    const menu = page.getByRole("button", { name: "Actions of Inbox" });
    const chip = page.getByRole("button", { name: "Remove the filter Task Backup" });
    await menu.waitFor();
    await chip.waitFor();
    held.treat("hold");
    await chip.click();
    await isBusy();
    expect(await menu.isDisabled()).toBe(true);
    const { x, y, width: wide, height } = (await menu.boundingBox())!;
    await page.mouse.click(x + wide / 2, y + height / 2);
    expect(await page.getByRole("menu").count()).toBe(0);
    expect(page.url()).toMatch(/watchers$/);
    held.treat("pass");
    await isAnswered();
    await menu.click();
    await page.getByRole("menu").waitFor();
    expect(ui.errors).toEqual([]);
  },
);

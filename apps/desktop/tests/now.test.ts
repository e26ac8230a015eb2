import { connectLocal } from "@belfry/client/local";
import { ManualClock, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { type Harness, startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { holdSocket } from "./support/held-socket.ts";
import { untilLive } from "./support/live.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

async function addTask(daemon: Harness, name: string, script: string, more: object = {}): Promise<string> {
  const { status, json } = await daemon.call("POST", "/v1/tasks", {
    name,
    command: { kind: "shell", script },
    ...more,
  });
  expect(status).toBe(201);
  return json.id;
}

async function runToEnd(daemon: Harness, taskId: string): Promise<void> {
  const run = await daemon.call("POST", `/v1/tasks/${taskId}/run`);
  await until("the end of the run", async () => (await daemon.call("GET", `/v1/runs/${run.json.id}`)).json.ended_at);
}

test("the first visit says what to do, with one link and one command", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  await ui.page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  await ui.page.getByText("belfry task add hello").waitFor();
  await expectSound(ui);
  await ui.picture("now-first-use");
});

test("what runs, what failed and what comes stands on one page, and changes without a reload", async () => {
  await using daemon = await startDaemon();
  const group = (await daemon.call("POST", "/v1/groups", { name: "Web" })).json.id;
  const backup = await addTask(daemon, "Backup", "exit 3", { group_id: group });
  await addTask(daemon, "Report", "true");
  await daemon.call("POST", "/v1/schedules", { task_id: backup, kind: "interval", every: "1h" });
  await runToEnd(daemon, backup);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.getByRole("heading", { name: /^Failed since yesterday \(1\)$/ }).waitFor();
  await page.getByText("The run exited with code 3.").waitFor();
  await page.getByRole("button", { name: "▾ Web" }).waitFor();
  await page.getByText("Nothing is running.").waitFor();
  const long = await addTask(daemon, "Long", "sleep 600");
  await daemon.call("POST", `/v1/tasks/${long}/run`);
  await page.getByRole("heading", { name: "Running now (1)" }).waitFor();
  await ui.picture("now");
  await expectSound(ui);

  await page.keyboard.press("t");
  const table = page.getByRole("table", { name: "Runs and scheduled times of each task" });
  await table.getByRole("link", { name: /^Failed after/ }).waitFor();
  await ui.picture("now-table");
  await expectSound(ui);
  await page.keyboard.press("t");
  await page.getByLabel("Search tasks").fill("backup");
  await page.getByRole("link", { name: "Report" }).waitFor({ state: "detached" });
  expect(page.url()).toContain("text=backup");

  // a folded group stays folded while the screens are open
  await page.getByLabel("Search tasks").fill("");
  const plot = page.getByRole("region", { name: "Timeline" });
  await plot.getByRole("link", { name: "Report" }).waitFor();
  await page.getByRole("button", { name: "▾ Web" }).click();
  await plot.getByRole("link", { name: "Backup" }).waitFor({ state: "detached" });
  await plot.getByRole("link", { name: "Report" }).click();
  await page.getByRole("heading", { name: "Report", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "▸ Web" }).waitFor();
});

test("a task that fails often is one row, what is queued stands below what runs, and tasks are in order", async () => {
  await using daemon = await startDaemon();
  const group = (await daemon.call("POST", "/v1/groups", { name: "Web" })).json.id;
  const mirror = await addTask(daemon, "Mirror", "exit 4", { group_id: group });
  for (let runs = 0; runs < 3; runs += 1) await runToEnd(daemon, mirror);
  await addTask(daemon, "Import 10", "true");
  const long = await addTask(daemon, "Import 9", "sleep 600");
  for (let runs = 0; runs < 2; runs += 1) await daemon.call("POST", `/v1/tasks/${long}/run`);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.getByRole("heading", { name: "Failed since yesterday (1)" }).waitFor();
  const failures = page.getByRole("region", { name: /^Failed since/ }).getByRole("listitem");
  await failures.filter({ hasText: "Failed 3 times" }).waitFor();
  expect(await failures.count()).toBe(1);
  const active = page.getByRole("region", { name: "Running now (1), queued (1)" }).getByRole("listitem");
  await active.first().waitFor();
  // it starts before it runs
  await expect
    .poll(() => active.allInnerTexts())
    .toEqual([expect.stringMatching(/^Running/), expect.stringMatching(/^Queued/)]);
  await ui.go("/tasks");
  const names = page.getByRole("treegrid", { name: "Tasks" }).locator("[data-task]");
  await names.first().waitFor();
  expect(await names.allInnerTexts()).toEqual(["Import 9", "Import 10", "Mirror"]);
  await expectSound(ui);
});

test("what runs is shown, however many newer runs are queued", async () => {
  await using daemon = await startDaemon();
  const long = await addTask(daemon, "Long", "sleep 600");
  for (let runs = 0; runs < 56; runs += 1) await daemon.call("POST", `/v1/tasks/${long}/run`);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const active = page.getByRole("region", { name: "Running now (1), queued (50+)" });
  await active.getByRole("listitem").first().waitFor();
  await expect.poll(() => active.getByRole("listitem").first().innerText()).toMatch(/^Running/);
  await active.getByRole("link", { name: "and 39+ more runs" }).click();
  await page.getByRole("heading", { name: "Runs", exact: true, level: 1 }).waitFor();
  await expectSound(ui);
});

test("more overdue tasks than the list has are said, and a link leads to all", async () => {
  const clock = new ManualClock(new Date(Date.now() - 3_600_000).toISOString());
  await using daemon = await startDaemon({ clock });
  for (let index = 0; index < 51; index += 1)
    await addTask(daemon, `Late ${index}`, "true", { expect_success_within: "1m" });
  clock.jump(3_600_000);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const overdue = page.getByRole("region", { name: "Overdue (50+)" });
  await overdue.getByRole("link", { name: "and more tasks" }).click();
  await page.getByRole("heading", { name: "Tasks", exact: true, level: 1 }).waitFor();
  expect(page.url()).toContain("state=overdue");
  await page
    .getByRole("row", { name: /Late \d/ })
    .first()
    .waitFor();
  expect(ui.errors).toEqual([]);
});

test("when no daemon answers at first, the page says that nothing is known, and fills when one does", async () => {
  await using daemon = await startDaemon();
  await addTask(daemon, "Backup", "true");
  await using held = await holdSocket(daemon.socketPath);
  held.treat("cut");
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  await page.getByText("Not known: the daemon does not answer.").first().waitFor();
  await page.getByText("This page continues by itself when it does.").waitFor();
  await ui.picture("now-never-heard");
  await expectSound(ui);
  held.treat("pass");
  await page.getByText("Nothing is running.").waitFor();
  await page.getByRole("link", { name: "Backup" }).waitFor();
});

test("a failure on the timeline leads to its run, and a drag moves the picture and the address", async () => {
  await using daemon = await startDaemon();
  const task = await addTask(daemon, "Backup", "exit 3");
  await runToEnd(daemon, task);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  // so long a time that the failure is near now also on a busy machine
  await page.goto(page.url().replace(/#.*/, "#/?span=24h"));
  const canvas = page.locator("[data-canvas]");
  await canvas.locator("path").first().waitFor();
  const box = (await canvas.boundingBox())!;
  const y = box.y + 16;
  // three fourths of the picture are past, and the failure lies just before now
  await page.mouse.move(box.x + box.width * 0.75 - 3, y);
  await page.getByText(/^Failed after/).waitFor();
  await page.mouse.click(box.x + box.width * 0.75 - 3, y);
  await page.getByRole("heading", { name: "Backup", level: 1 }).waitFor();
  expect(page.url()).toContain("#/runs/");
  await page.goBack();
  // the page of the run has a picture too
  await page.getByRole("heading", { name: "Now", exact: true, level: 1 }).waitFor();
  await canvas.waitFor();
  await page.mouse.move(box.x + 300, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 500, y, { steps: 5 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Back to now" }).click();
  await page.getByRole("button", { name: "Back to now" }).waitFor({ state: "detached" });
  expect(ui.errors).toEqual([]);
});

test("when the daemon stops, what was known stays, and it continues by itself when it is back", async () => {
  await using daemon = await startDaemon();
  await addTask(daemon, "Backup", "true");
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.getByRole("link", { name: "Backup" }).waitFor();
  await untilLive(ui, daemon);
  await daemon.stop();
  await page.getByText("The daemon does not answer. What you see is from").waitFor();
  expect(await page.getByRole("link", { name: "Backup" }).count()).toBe(1);
  await ui.picture("now-offline");
  expect(await ui.findSeriousFaults()).toEqual([]);
  await using again = await startDaemon({ dataDir: daemon.dataDir });
  await addTask(again, "Report", "true");
  await page.getByRole("link", { name: "Report" }).waitFor();
  await page.getByText("The daemon does not answer.").waitFor({ state: "detached" });
});

test("the keyboard alone finds a task and runs it, at 360 pixels, in the dark and without motion", async () => {
  await using daemon = await startDaemon();
  const task = await addTask(daemon, "Nightly backup", "echo done");
  await addTask(daemon, "Another", "true");
  await using ui = await openScreens({
    screens,
    socket: daemon.socketPath,
    width: 360,
    height: 740,
    isDark: true,
    isCalm: true,
  });
  const { page } = ui;
  const { keyboard } = page;
  await page.getByRole("link", { name: "Nightly backup" }).waitFor();
  await ui.picture("now-narrow-dark");
  await expectSound(ui);
  await keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await keyboard.press("Escape");
  await keyboard.press("Control+k");
  await keyboard.type("nightly");
  await page.getByRole("option", { name: /Nightly backup/ }).waitFor();
  await page.waitForTimeout(300);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Nightly backup" }).waitFor();
  await keyboard.press("r");
  await page.getByRole("dialog").waitFor();
  await ui.picture("task-run-narrow-dark");
  await expectSound(ui);
  await keyboard.press("Tab");
  await page.getByRole("dialog").getByRole("button", { name: "Run" }).focus();
  await keyboard.press("Enter");
  await page.getByRole("button", { name: "Rerun" }).waitFor();
  expect((await daemon.call("GET", `/v1/runs?task_id=${task}`)).json.runs).toHaveLength(1);
  await keyboard.press("g");
  await keyboard.press("t");
  await page.getByRole("heading", { name: "Tasks" }).waitFor();
  await ui.picture("tasks-narrow-dark");
  await expectSound(ui);
});

test("a filter keeps every letter that is typed fast, and asks once", async () => {
  await using daemon = await startDaemon();
  await addTask(daemon, "Backup", "true", { labels: { team: "storage" } });
  await addTask(daemon, "Report", "true", { labels: { team: "web" } });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.getByRole("link", { name: "Report" }).waitFor();
  const label = page.getByLabel("Label");
  const [report, backup] = ["Report", "Backup"].map((name) => page.getByRole("link", { name }));
  const asked: string[] = [];
  const questions = new Set<string>();
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const value = searchParams.get("label");
    if (value === null) return;
    asked.push(value);
    // what is in view moves on with the hour
    for (const moving of ["from", "until"]) searchParams.delete(moving);
    questions.add(`${pathname}?${searchParams.toString()}`);
  });
  await label.focus();
  await page.keyboard.type("team:storage");
  expect(await label.inputValue()).toBe("team:storage");
  await report!.waitFor({ state: "detached" });
  await backup!.waitFor();
  await page.waitForURL(/label=team.*storage/);
  expect(await label.inputValue()).toBe("team:storage");
  expect(asked.at(-1)).toBe("team:storage");
  await label.fill("");
  await report!.waitFor();
  await page.waitForURL((url) => !url.href.includes("label"));
  asked.length = 0;
  questions.clear();
  // on a busy machine, the letters of a keyboard come with pauses
  await page.evaluate('for (const letter of "team:web") document.execCommand("insertText", false, letter)');
  expect(await label.inputValue()).toBe("team:web");
  await backup!.waitFor({ state: "detached" });
  expect([...new Set(asked)]).toEqual(["team:web"]);
  expect([...questions]).toHaveLength(1);
});

test("the page stays where it is while its timeline moves", async () => {
  await using daemon = await startDaemon();
  for (let index = 0; index < 30; index += 1) await addTask(daemon, `Task ${index}`, "true");
  await using ui = await openScreens({ screens, socket: daemon.socketPath, height: 500 });
  const { page } = ui;
  const earlier = page.getByRole("button", { name: "Earlier" });
  await page.getByRole("link", { name: "Task 0", exact: true }).waitFor();
  await earlier.evaluate((button) => button.scrollIntoView());
  const scrolled = (): Promise<number> => page.evaluate<number>("Math.round(scrollY)");
  const before = await scrolled();
  expect(before).toBeGreaterThan(100);
  await earlier.click();
  await page.waitForURL(/until=/);
  await page.getByRole("button", { name: "Back to now" }).waitFor();
  expect(await scrolled()).toBe(before);
  const box = (await page.locator("[data-canvas]").boundingBox())!;
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 500, box.y + 200, { steps: 5 });
  const address = page.url();
  await page.mouse.up();
  await expect.poll(() => page.url()).not.toBe(address);
  expect(await scrolled()).toBe(before);
});

test("the key r says why a task cannot run, also while one of its runs is active", async () => {
  await using daemon = await startDaemon();
  const task = await addTask(daemon, "Long", "sleep 600");
  await daemon.call("POST", `/v1/tasks/${task}/run`);
  await connectLocal({ socketPath: daemon.socketPath }).tasks.disable(task);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const row = page.getByRole("region", { name: /^Running now/ }).getByRole("link", { name: "Long" });
  await row.focus();
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog", { name: "Run Long now?" });
  await dialog.getByText("The task is disabled.").waitFor();
  expect(await dialog.getByRole("button", { name: "Run" }).isDisabled()).toBe(true);
});

test("the tasks that failed beyond the list lead to the failed runs", async () => {
  await using daemon = await startDaemon();
  for (let index = 0; index < 10; index += 1)
    await runToEnd(daemon, await addTask(daemon, `Broken ${index}`, "exit 3"));
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.getByRole("link", { name: "and 2 more tasks" }).click();
  await page.getByRole("heading", { name: "Runs", exact: true, level: 1 }).waitFor();
  await page.getByRole("row", { name: /Broken 0/ }).waitFor();
  expect(page.url()).toContain("state=failed");
});

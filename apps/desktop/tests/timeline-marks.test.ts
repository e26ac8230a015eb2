import { ManualClock, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { untilLive } from "./support/live.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const minuteMs = 60_000;

test("missed times are a gap in the picture, which answers why when it is clicked, and words in the table", async () => {
  const minute = Math.floor(Date.now() / minuteMs) * minuteMs;
  const clock = new ManualClock(new Date(minute - 10 * minuteMs).toISOString());
  await using before = await startDaemon({ clock });
  const command = { kind: "shell", script: "true" };
  const { json: task } = await before.call("POST", "/v1/tasks", { name: "Every minute", command });
  await before.call("POST", "/v1/schedules", { task_id: task.id, kind: "cron", expression: "* * * * *" });
  await before.stop();
  clock.jump(10 * minuteMs + 500);
  await using daemon = await startDaemon({ dataDir: before.dataDir, clock });
  const runs = async () => (await daemon.call("GET", `/v1/runs?task_id=${task.id}`)).json.runs;
  await until("the run that makes up for them", async () => (await runs()).some((run: any) => run.coalesced === 9));
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/?span=1h");
  const canvas = page.locator("[data-canvas]");
  await canvas.locator("path").first().waitFor();
  const box = (await canvas.boundingBox())!;
  const [x, y] = [box.x + box.width * (0.75 - 5 / 60), box.y + 16];
  await page.mouse.move(x, y);
  const words = page.getByText(/^9 times were missed from .* on; the run at .* makes up for them$/);
  await words.waitFor();
  // the words are below the last row, where the picture ends
  expect(await words.evaluate((element) => element.closest(".overflow-hidden"))).toBeNull();
  await ui.picture("timeline-missed");
  await page.mouse.click(x, y);
  await page.waitForURL(/#\/tasks\/.*why=/);
  const answer = page.getByText(/was missed and merged into the run for/);
  await answer.waitFor();
  await expect.poll(() => answer.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(900);
  await ui.go("/?span=1h&table=true");
  await page.getByText(/9 times were missed from/).waitFor();
  await expectSound(ui);
});

test.each(["", "&table=true"])("only tasks with a failure in view are among those with failures%s", async (look) => {
  await using daemon = await startDaemon();
  const runTask = async (name: string) => {
    const command = { kind: "shell", script: "exit 3" };
    const { json: task } = await daemon.call("POST", "/v1/tasks", { name, command });
    const { json: run } = await daemon.call("POST", `/v1/tasks/${task.id}/run`);
    await until("its end", async () => (await daemon.call("GET", `/v1/runs/${run.id}`)).json.ended_at);
  };
  await runTask("Broken");
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const timeline = page.getByRole("region", { name: "Timeline" });
  const row = timeline.getByRole("link", { name: "Broken", exact: true });
  // the failure lies before what is looked at, and within what the daemon is asked for
  await ui.go(`/?span=1h&state=failed&until=${Date.now() + 65 * minuteMs}${look}`);
  await timeline.getByText("No task matches these filters.").waitFor();
  expect(await row.count()).toBe(0);
  await timeline.getByRole("button", { name: "Back to now" }).click();
  await row.waitFor();
  await expectSound(ui);
});

test("what the timeline of a task shows is in the address, and comes back with it", async () => {
  await using daemon = await startDaemon();
  const command = { kind: "shell", script: "true" };
  const { json: task } = await daemon.call("POST", "/v1/tasks", { name: "Backup", command });
  await daemon.call("POST", "/v1/schedules", { task_id: task.id, kind: "interval", every: "1h" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath, width: 360, height: 740 });
  const { page } = ui;
  await ui.go(`/tasks/${task.id}`);
  const frame = page.locator("[data-canvas]");
  await frame.locator("path").first().waitFor();
  // no column of names takes room; the picture may be drawn anew once all has been read
  await expect.poll(async () => (await frame.boundingBox())?.width).toBeGreaterThan(320);
  await ui.picture("task-timeline-360");
  await page.getByRole("button", { name: "6h", exact: true }).click();
  await page.getByRole("button", { name: "Earlier" }).click();
  await page.getByRole("button", { name: "As a table" }).click();
  await page.waitForURL(/table=true/);
  expect(page.url()).toMatch(/span=6h/);
  expect(page.url()).toMatch(/until=%22\d+%22/);
  await page.reload();
  await page.getByRole("button", { name: "6h", pressed: true }).waitFor();
  await page.getByRole("button", { name: "Back to now" }).waitFor();
  await page.getByRole("table", { name: "Runs and scheduled times of each task" }).waitFor();
  await expectSound(ui);
});

test("every mark has a shape of its own, and a change of the clocks says what it is", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/specimen");
  const change = page.getByRole("img", { name: /^The clocks go forward by 1 h on .*29 Mar 2026/ });
  await change.scrollIntoViewIfNeeded();
  expect(await change.innerText()).toBe("+1 h");
  for (const width of [1_280, 360])
    for (const theme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(200);
      await change.scrollIntoViewIfNeeded();
      await ui.picture(`marks-${theme}-${width}`);
    }
  expect(ui.errors).toEqual([]);
});

test("while the daemon does not answer, what runs stands still with the last answer", async () => {
  await using daemon = await startDaemon();
  const command = { kind: "shell", script: "sleep 600" };
  const { json: task } = await daemon.call("POST", "/v1/tasks", { name: "Long", command });
  await daemon.call("POST", `/v1/tasks/${task.id}/run`);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/?span=1h");
  const listed = page.getByRole("region", { name: /^Running now/ }).getByRole("listitem");
  await listed.filter({ hasText: /^Running/ }).waitFor();
  await untilLive(ui, daemon);
  await daemon.stop();
  await page.getByText("The daemon does not answer. What you see is from").waitFor();
  await page.waitForTimeout(1_000);
  const before = await listed.innerText();
  await page.waitForTimeout(3_000);
  expect(await listed.innerText()).toBe(before);
});

test("the page of a run shows one attempt, and the pause before the next, over an axis of time", async () => {
  await using daemon = await startDaemon();
  const command = { kind: "shell", script: "sleep 1; exit 3" };
  const retry = { max_attempts: 3, delay: "5m" };
  const { status, json: task } = await daemon.call("POST", "/v1/tasks", { name: "Flaky", command, retry });
  expect(status, JSON.stringify(task)).toBe(201);
  const { json: run } = await daemon.call("POST", `/v1/tasks/${task.id}/run`);
  await until("the pause", async () => (await daemon.call("GET", `/v1/runs/${run.id}`)).json.waiting?.until);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/runs/${run.id}`);
  const canvas = page.locator("[data-canvas]");
  await canvas.locator("path.fill-failure").waitFor();
  // the hollow circle of the next attempt
  await canvas.locator("path.stroke-muted").waitFor();
  await page
    .getByText(/^\d\d:\d\d:\d\d$/)
    .nth(2)
    .waitFor();
  for (const width of [1_280, 360])
    for (const theme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(200);
      await ui.picture(`attempts-${theme}-${width}`);
    }
  await expectSound(ui);
});

test("a mark is opened by a click alone, and in a tab of its own where the person asks for one", async () => {
  await using daemon = await startDaemon();
  const command = { kind: "shell", script: "exit 3" };
  const { json: task } = await daemon.call("POST", "/v1/tasks", { name: "Backup", command });
  const { json: run } = await daemon.call("POST", `/v1/tasks/${task.id}/run`);
  await until("the end", async () => (await daemon.call("GET", `/v1/runs/${run.id}`)).json.ended_at);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  // so long a time that the failure is near now also on a busy machine
  await ui.go("/?span=24h");
  const canvas = page.locator("[data-canvas]");
  await canvas.locator("path.fill-failure").waitFor();
  const box = (await canvas.boundingBox())!;
  // the failure lies just before now
  const [x, y] = [box.x + box.width * 0.75 - 3, box.y + 16];
  const address = page.url();

  await page.mouse.click(x, y, { button: "right" });
  await page.keyboard.press("Escape");
  // a selection of text that ends on the mark
  await page.getByRole("heading", { name: "Now", exact: true }).hover();
  await page.mouse.down();
  await page.mouse.move(x, y, { steps: 5 });
  await page.mouse.up();
  // a press that ends outside of the picture
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, box.y - 60);
  await page.mouse.up();
  await page.mouse.move(x, y);
  await page.mouse.move(x - 200, y, { steps: 5 });
  expect(await canvas.evaluate((element) => element.style.transform)).toBe("");
  expect(page.url()).toBe(address);

  for (const act of [
    () => page.mouse.click(x, y, { button: "middle" }),
    async () => {
      await page.keyboard.down("Control");
      await page.mouse.click(x, y);
      await page.keyboard.up("Control");
    },
  ]) {
    const [other] = await Promise.all([ui.context.waitForEvent("page"), act()]);
    await other.getByText("The run exited with code 3.").waitFor();
    expect(other.url()).toContain(run.id);
    await other.close();
    expect(page.url()).toBe(address);
  }
  await page.mouse.click(x, y);
  await page.waitForURL(new RegExp(run.id));
  expect(ui.errors).toEqual([]);
});

test.each([1_280, 360])("now is named whole at the edge of a picture, %i pixels wide", async (width) => {
  await using daemon = await startDaemon();
  const command = { kind: "shell", script: "echo begun; exec sleep 600" };
  const { json: task } = await daemon.call("POST", "/v1/tasks", { name: "Backup", command });
  const { json: run } = await daemon.call("POST", `/v1/tasks/${task.id}/run`);
  await using ui = await openScreens({ screens, socket: daemon.socketPath, width });
  const { page } = ui;
  await ui.go(`/runs/${run.id}`);
  await page.getByText("begun").waitFor();
  const now = page.getByText("now", { exact: true });
  await now.waitFor();
  const isWhole = await now.evaluate((label) => {
    const [own, around] = [label, label.parentElement!].map((element) => element.getBoundingClientRect());
    return own!.left >= around!.left && own!.right <= around!.right;
  });
  expect(isWhole).toBe(true);
  await ui.picture(`running-run-${width}`);
  await ui.go("/");
  await page.getByRole("heading", { name: "Running now (1)" }).waitFor();
  await page.locator("[data-canvas] path").first().waitFor();
  await ui.picture(`running-now-${width}`);
});

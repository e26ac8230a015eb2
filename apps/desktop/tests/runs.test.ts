import { connectLocal } from "@belfry/client/local";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const shell = (script: string) => ({ kind: "shell", script }) as const;

/** A daemon with a run that succeeded, and one that failed in a group. */
async function startWithRuns(width = 1_280) {
  await using opened = new AsyncDisposableStack();
  const daemon = opened.use(await startDaemon());
  const client = connectLocal({ socketPath: daemon.socketPath });
  const group = await client.groups.create({ name: "Nightly" });
  const backup = await client.tasks.create({ name: "Backup", command: shell("true") });
  const report = await client.tasks.create({ name: "Report", command: shell("exit 3"), group_id: group.id });
  const runOf = async (taskId: string): Promise<string> => {
    const { id } = await client.tasks.run(taskId);
    await until("the end", async () => (await client.runs.get(id)).ended_at);
    return id;
  };
  await runOf(backup.id);
  const failed = await runOf(report.id);
  const ui = opened.use(await openScreens({ screens, socket: daemon.socketPath, width }));
  const kept = opened.move();
  const rows = ui.page.locator("main [data-row]");
  return {
    client,
    ui,
    page: ui.page,
    backup,
    report,
    failed,
    runOf,
    row: (name: string | RegExp) => ui.page.getByRole("main").getByRole("row", { name }),
    /** Waits until the list has so many rows, also those that are not drawn. */
    sees: (count: number) =>
      expect.poll(async () => Number(await ui.page.locator("main [data-rows]").getAttribute("data-rows"))).toBe(count),
    rows,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

test("every run is listed, newest first, with its group, its state, what started it and its result", async () => {
  await using at = await startWithRuns();
  const { page, ui } = at;
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.getByRole("heading", { name: "Runs", exact: true, level: 1 }).waitFor();
  await at.sees(2);
  expect(await page.locator("#places [aria-current=page]").innerText()).toBe("Runs");
  const [first, second] = await at.rows.allInnerTexts();
  expect(first).toMatch(/^Nightly \/ Report\s+.*Failed\s+Somebody\s+Exited with code 3\.\s/s);
  expect(second).toMatch(/^Backup\s+.*Succeeded\s+Somebody\s+Exited with code 0\.\s/s);
  await expectSound(ui);
  await ui.picture("runs");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Report", level: 1 }).waitFor();
  expect(page.url()).toContain(`#/runs/${at.failed}`);
  await page.keyboard.press("Escape");
  await at.sees(2);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("runs");
  await page.getByRole("option", { name: /^Runs screen/ }).waitFor();
  expect(ui.errors).toEqual([]);
});

test("the filters are part of the address, and a task that was chosen on its page can be taken away", async () => {
  await using at = await startWithRuns();
  const { page, ui } = at;
  const state = page.getByLabel("State");
  const chip = page.getByRole("button", { name: "Remove the filter Task Report" });
  await ui.go("/runs");
  await at.sees(2);
  await state.selectOption("Failed");
  await at.sees(1);
  await at.row(/Report/).waitFor();
  await page.reload();
  await at.sees(1);
  expect(await state.inputValue()).toBe("failed");
  await at.row(/Report/).click();
  await page.getByText("The run exited with code 3.").waitFor();
  await page.keyboard.press("Escape");
  await at.sees(1);
  await state.selectOption("Not ended");
  await page.getByText("No run matches these filters.").waitFor();
  await ui.go("/runs?state=exploded");
  await at.sees(2);
  expect(await state.inputValue()).toBe("");

  await ui.go(`/tasks/${at.report.id}`);
  await page.getByRole("region", { name: "Newest runs" }).getByRole("link", { name: "All runs" }).click();
  await chip.waitFor();
  await at.sees(1);
  await state.selectOption("Succeeded");
  await page.getByText("No run matches these filters.").waitFor();
  await expectSound(ui);
  await chip.click();
  await at.row(/Backup/).waitFor();
  expect(page.url()).toContain("#/runs?state=succeeded");
  expect(await chip.count()).toBe(0);

  // its runs outlive a task
  await at.client.tasks.delete(at.report.id);
  await ui.go(`/runs?task=${at.report.id}`);
  await chip.waitFor();
  await at.sees(1);
  expect(ui.errors).toEqual([]);
});

test("a run appears when it is requested, and ends in its place, without a reload", async () => {
  await using at = await startWithRuns();
  const { page, client, ui } = at;
  const slow = await client.tasks.create({ name: "Slow", command: shell("sleep 600") });
  await ui.go("/runs");
  await at.sees(2);
  const { id } = await client.tasks.run(slow.id);
  await at.row(/Slow.*Running/).waitFor();
  await at.sees(3);
  await page.getByLabel("State").selectOption("Not ended");
  await at.sees(1);
  await page.getByLabel("State").selectOption("Any state");
  await at.sees(3);
  await client.runs.cancel(id);
  await at.row(/Slow.*Cancelled/).waitFor();
  await at.sees(3);
  expect(ui.errors).toEqual([]);
});

test("what runs and waits beyond the list of the page Now is found among the runs", async () => {
  await using at = await startWithRuns();
  const { page, client, ui } = at;
  const slow = await client.tasks.create({ name: "Slow", command: shell("sleep 600") });
  for (let run = 0; run < 15; run++) await client.tasks.run(slow.id);
  await page.getByRole("link", { name: "and 3 more runs" }).click();
  await page.getByRole("heading", { name: "Runs", exact: true, level: 1 }).waitFor();
  await at.sees(15);
  expect(await page.getByLabel("State").inputValue()).toBe("unended");
  expect(ui.errors).toEqual([]);
});

test("a long history is read page by page while one scrolls", async () => {
  await using at = await startWithRuns();
  const { page, client, ui } = at;
  const busy = await client.tasks.create({
    name: "Busy",
    command: shell("sleep 600"),
    concurrency: { limit: 1, on_conflict: "skip" },
  });
  // the first run keeps the others from starting
  for (let run = 0; run < 229; run++) await client.tasks.run(busy.id);
  await ui.go("/runs");
  await at.sees(100);
  // not a turn of the wheel, which may end where the former rows ended
  const toEnd = () => page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  for (const count of [200, 231]) {
    await toEnd();
    await at.sees(count);
  }
  await toEnd();
  await at.row(/^Backup/).waitFor();
  await page.getByRole("status").filter({ hasText: "Loading more" }).waitFor({ state: "detached" });
  await expectSound(ui);
  await page.getByLabel("State").selectOption("Skipped");
  await at.sees(100);
  expect(ui.errors).toEqual([]);
});

test("on a phone, each run is a card within the window", async () => {
  await using at = await startWithRuns(360);
  const { page, ui } = at;
  await ui.go(`/runs?task=${at.report.id}`);
  await at.row(/Report.*Failed.*Exited with code 3/s).waitFor();
  await page.getByRole("button", { name: "Remove the filter Task Report" }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await expectSound(ui);
  await ui.picture("runs-360");
});

import { connectLocal } from "@belfry/client/local";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const tasksCount = 120;

test("the timeline as a table has every row, of which only the visible ones exist", async () => {
  await using daemon = await startDaemon();
  for (let index = 0; index < tasksCount; index++) {
    const name = `Task ${String(index).padStart(3, "0")}`;
    const command = { kind: "shell", script: "true" };
    const { json: task } = await daemon.call("POST", "/v1/tasks", { name, command });
    await daemon.call("POST", "/v1/schedules", { task_id: task.id, kind: "interval", every: "1h" });
  }
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/?table=true");
  const table = page.getByRole("table", { name: "Runs and scheduled times of each task" });
  await table.getByRole("rowheader", { name: "Task 000" }).waitFor();
  // the first rows come before the others
  await expect.poll(() => table.getAttribute("aria-rowcount")).toBe(String(tasksCount + 1));
  expect(await table.getByRole("row").count()).toBeLessThan(60);
  await expectSound(ui);
  await ui.picture("timeline-table");
  const height = "document.documentElement.scrollHeight";
  const before = await page.evaluate<number>(height);
  await page.keyboard.press("End");
  const last = table.getByRole("row").filter({ hasText: "Task 119" });
  await last.waitFor();
  expect(await last.getAttribute("aria-rowindex")).toBe(String(tasksCount + 1));
  // the end of a page that grows meanwhile would not be reached
  expect(await page.evaluate<number>(height)).toBeLessThanOrEqual(before);
});

test("a page that is scrolled down stays where it was scrolled to, although rows are measured on the way", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const command = { kind: "shell", script: "true" } as const;
  for (let index = 0; index < tasksCount; index++) await client.tasks.create({ name: `Task ${index}`, command });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/?table=true");
  const table = page.getByRole("table", { name: "Runs and scheduled times of each task" });
  await expect.poll(() => table.getAttribute("aria-rowcount")).toBe(String(tasksCount + 1));
  const tallest = await page.evaluate<number>("document.documentElement.scrollHeight");
  for (const y of [1_200, 2_400]) {
    await page.evaluate(`scrollTo({ top: ${y}, behavior: "instant" })`);
    await expect.poll(() => rowAt(page, 200)).not.toBeNull();
    expect(await page.evaluate("scrollY")).toBe(y);
  }
  // what these rows need was known only when they were drawn
  expect(await page.evaluate<number>("document.documentElement.scrollHeight")).toBeLessThan(tallest - 100);
});

/** The place of the row that is drawn at a height of the window. */
function rowAt(page: Page, y: number): Promise<string | null> {
  return page.evaluate<string | null>(
    `document.elementFromPoint(innerWidth / 2, ${y})?.closest("[data-row]")?.getAttribute("data-row") ?? null`,
  );
}

test.each(["/", "/?table=true"])(
  "at %s, no row is missing in the window once the lists above have grown",
  async (path) => {
    await using daemon = await startDaemon();
    const client = connectLocal({ socketPath: daemon.socketPath });
    const command = { kind: "shell", script: "sleep 600" } as const;
    const ids: string[] = [];
    for (let index = 0; index < tasksCount; index++)
      ids.push((await client.tasks.create({ name: `Task ${String(index).padStart(3, "0")}`, command })).id);
    await using ui = await openScreens({ screens, socket: daemon.socketPath });
    const { page } = ui;
    await ui.go(path);
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByRole("link", { name: "Task 000" }).waitFor();
    const topOf = async (): Promise<number> =>
      (await timeline.boundingBox())!.y + (await page.evaluate<number>("scrollY"));
    const before = await topOf();
    for (const id of ids.slice(0, 12)) await client.tasks.run(id);
    const running = page.getByRole("region", { name: /^Running now/ }).getByRole("listitem");
    await expect.poll(() => running.count()).toBe(12);
    await client.holds.place({ group_id: null, until: null, reason: "Upgrade" });
    await page.getByText("“Upgrade”").waitFor();
    expect(await topOf()).toBeGreaterThan(before + 350);
    await page.evaluate(`scrollTo(0, ${(await topOf()) + 1_500})`);
    const isFull = `(() => {
    const rows = [...document.querySelectorAll("main section:last-child [data-task]")];
    const places = rows.map((row) => row.getBoundingClientRect());
    return places.some(({ top }) => top < 20) && places.some(({ bottom }) => bottom > innerHeight - 120);
  })()`;
    await expect.poll(() => page.evaluate<boolean>(isFull)).toBe(true);
    expect(ui.errors).toEqual([]);
  },
);

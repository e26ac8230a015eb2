import { connectLocal } from "@belfry/client/local";
import type { Client, Run } from "@belfry/client";
import { tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { expectSound, openScreens, type Screens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

type Task = Parameters<Client["tasks"]["create"]>[0];

async function startRun(client: Client, script: string, more: Partial<Task> = {}): Promise<Run> {
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script }, ...more });
  return client.tasks.run(task.id);
}

const lines = (ui: Screens) => ui.page.getByRole("region", { name: "Lines of the output" });
const focused = `document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent`;

test("a search, a line and an attempt leave the page where it is scrolled", async () => {
  await using daemon = await startDaemon();
  await using dir = await tempDir("att-");
  const client = connectLocal({ socketPath: daemon.socketPath });
  const mark = join(dir.path, "mark");
  const run = await startRun(client, `seq -f 'row %g' 1 300; [ -e ${mark} ] && exit 0; touch ${mark}; exit 9`, {
    retry: { max_attempts: 2, delay: "1s" },
  });
  await client.runs.wait(run.id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath, height: 500 });
  const { page } = ui;
  await ui.go(`/runs/${run.id}`);
  await lines(ui).getByText("row 300", { exact: true }).waitFor();
  const scrolled = (): Promise<number> => page.evaluate<number>("Math.round(scrollY)");
  const field = page.getByLabel("Search the output");
  await field.evaluate((element) => element.scrollIntoView());
  const before = await scrolled();
  expect(before).toBeGreaterThan(100);
  await field.focus();
  await page.keyboard.type("row 12");
  await expect.poll(() => page.url()).toContain("find=row");
  await lines(ui).locator("[data-line='12'] mark").waitFor();
  expect(await scrolled()).toBe(before);
  await page.getByRole("link", { name: "Link to line 12", exact: true }).click();
  await expect.poll(() => page.url()).toContain("line=");
  expect(await scrolled()).toBe(before);

  const attempt = page.getByRole("link", { name: "Attempt 1" });
  await attempt.evaluate((element) => element.scrollIntoView());
  const atAttempts = await scrolled();
  expect(atAttempts).toBeGreaterThan(50);
  await attempt.click();
  await expect.poll(() => attempt.getAttribute("aria-current")).not.toBeNull();
  await lines(ui).getByText("row 300", { exact: true }).waitFor();
  expect(await scrolled()).toBe(atAttempts);
});

test("Tab stops at one line of the output, and the arrow keys go on from there", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const run = await startRun(client, "seq 1 3000 | sed 's#.*#row &, see https://example.org/&#'");
  await client.runs.wait(run.id);
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/runs/${run.id}?line=1500`);
  await lines(ui).locator("[data-line='1500']").waitFor();
  const isAt = (name: string) => expect.poll(() => page.evaluate<string>(focused)).toBe(name);
  await lines(ui).focus();
  await page.keyboard.press("Tab");
  await isAt("Link to line 1500");
  for (let steps = 0; steps < 60; steps += 1) await page.keyboard.press("ArrowDown");
  await isAt("Link to line 1560");
  await page.keyboard.press("ArrowUp");
  await isAt("Link to line 1559");
  // the links in a line belong to it
  await page.keyboard.press("Tab");
  await isAt("https://example.org/1559");
  await page.keyboard.press("Tab");
  expect(await lines(ui).evaluate((box) => box.contains(box.ownerDocument.activeElement))).toBe(false);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toMatch(/line=(%22)?1\d\d\d/);

  // a line that is scrolled out of sight keeps the focus
  await page.keyboard.press("ArrowUp");
  const name = await page.evaluate<string>(focused);
  await lines(ui).evaluate((box) => {
    box.scrollTop = 0;
  });
  await lines(ui).locator("[data-line='1']").waitFor();
  await isAt(name);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => lines(ui).evaluate((box) => box.scrollTop)).toBeGreaterThan(10_000);
  await expectSound(ui);
});

test("a line that somebody reads keeps its place while wrapped lines before it give way", async () => {
  await using daemon = await startDaemon();
  await using dir = await tempDir("out-");
  const client = connectLocal({ socketPath: daemon.socketPath });
  const gate = join(dir.path, "gate");
  const long = "x".repeat(180);
  const run = await startRun(
    client,
    `seq -f '%g ${long}' 1 49000; while [ ! -e ${gate} ]; do sleep 0.05; done; seq -f '%g ${long}' 49001 51000; exec sleep 600`,
  );
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const box = lines(ui);
  const line = (number: number) => box.locator(`[data-line='${number}']`);
  await ui.go(`/runs/${run.id}`);
  await page.getByText("Output (49,000 lines)").waitFor();
  // the first lines are seen, and then known to be wrapped
  await box.hover();
  // a scroll that comes long after its turn of the wheel is not taken for a person's
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -100);
      return page.getByRole("button", { name: "Follow" }).getAttribute("aria-pressed");
    })
    .toBe("false");
  const scrollTo = (top: number) => box.evaluate((element, wanted) => void (element.scrollTop = wanted), top);
  await scrollTo(0);
  await line(1).waitFor();
  await scrollTo(2_000);
  await line(60).waitFor();
  await scrollTo(400_000);
  await line(1).waitFor({ state: "detached" });
  const topOf = (number: number) => line(number).evaluate((row) => Math.round(row.getBoundingClientRect().top));
  // the rows of the new place may be drawn after those of the former one are gone
  const readAt = await until("a line in the middle of the box", () =>
    box.evaluate((element) => {
      const { top } = element.getBoundingClientRect();
      const rows = [...element.querySelectorAll("[data-line]")];
      const found = rows.find((row) => row.getBoundingClientRect().top > top + 100);
      return found === undefined ? null : Number(found.getAttribute("data-line"));
    }),
  );
  const before = await until("a line that stands still", async () => {
    const one = await topOf(readAt);
    await page.waitForTimeout(100);
    return (await topOf(readAt)) === one ? one : null;
  });
  await writeFile(gate, "");
  await page.getByText(/^The oldest [45],\d{3} lines are not kept on this page/).waitFor();
  await page.getByRole("button", { name: "2,000 new lines" }).waitFor();
  // the line above the box takes room of its own
  const notice = (await page.getByText(/^The oldest/).boundingBox())!.height;
  await expect.poll(async () => Math.abs((await topOf(readAt)) - before - notice)).toBeLessThan(3);
  await client.runs.cancel(run.id);
});

test("another line in the address leads there while the output is open, and what is no line is none", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const run = await startRun(client, "seq 1 3000; exec sleep 600");
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const follow = page.getByRole("button", { name: "Follow" });
  const line = (number: number) => lines(ui).locator(`[data-line='${number}']`);
  await ui.go(`/runs/${run.id}?line=abc`);
  // no line is where to look, so the newest is
  await line(3000).waitFor();
  expect(await page.getByText("is not on this page").count()).toBe(0);
  expect(await follow.getAttribute("aria-pressed")).toBe("true");
  await ui.go(`/runs/${run.id}?line=400`);
  await line(400).waitFor();
  expect(await follow.getAttribute("aria-pressed")).toBe("false");
  await ui.go(`/runs/${run.id}?line=2000`);
  await line(2000).waitFor();
  await page.goBack();
  await line(400).waitFor();

  // what is marked here is in sight already, and stays where it is
  const topOf = (): Promise<number> => lines(ui).evaluate((box) => box.scrollTop);
  const near = lines(ui).getByRole("link", { name: "Link to line 405", exact: true });
  await near.hover();
  const before = await topOf();
  await near.click();
  await lines(ui).locator("a[aria-current=true]").getByText("405").waitFor();
  expect(await topOf()).toBe(before);
  await client.runs.cancel(run.id);
  expect(ui.errors).toEqual([]);
});

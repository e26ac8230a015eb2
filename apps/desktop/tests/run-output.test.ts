import { connectLocal } from "@belfry/client/local";
import type { Client, Run } from "@belfry/client";
import { tempDir } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { openScreens, type Screens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

type Task = Parameters<Client["tasks"]["create"]>[0];

async function startRun(client: Client, script: string, more: Partial<Task> = {}): Promise<Run> {
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script }, ...more });
  return client.tasks.run(task.id);
}

const lines = (ui: Screens) => ui.page.getByRole("region", { name: "Lines of the output" });

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

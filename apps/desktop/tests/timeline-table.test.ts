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
  expect(await table.getAttribute("aria-rowcount")).toBe(String(tasksCount + 1));
  expect(await table.getByRole("row").count()).toBeLessThan(60);
  await expectSound(ui);
  await ui.picture("timeline-table");
  await page.keyboard.press("End");
  const last = table.getByRole("row").filter({ hasText: "Task 119" });
  await last.waitFor();
  expect(await last.getAttribute("aria-rowindex")).toBe(String(tasksCount + 1));
});

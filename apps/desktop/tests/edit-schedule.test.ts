import { connectLocal } from "@belfry/client/local";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

test("a schedule is said in words, is edited with its next times in view, and keeps what was not touched", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const client = connectLocal({ socketPath: daemon.socketPath });
  const { page } = ui;
  const task = await client.tasks.create({ name: "Backup", command: { kind: "exec", program: "true" } });
  const stored = await client.schedules.create({
    task_id: task.id,
    kind: "cron",
    expression: "30 3 * * mon-fri",
    time_zone: "Europe/Berlin",
    misfire: { policy: "run_all", window: "2d", max_runs: 7 },
  });
  const dialog = page.getByRole("dialog");
  const open = async (): Promise<void> => {
    await page
      .getByRole("region", { name: "Schedules" })
      .getByRole("button", { name: /^Actions of/ })
      .click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await dialog.getByRole("heading", { name: "Edit the schedule" }).waitFor();
  };
  await ui.go(`/tasks/${task.id}`);
  await page.getByText("on weekdays at 03:30", { exact: true }).waitFor();
  await open();
  expect(await dialog.getByLabel("Kind").isDisabled()).toBe(true);
  expect(await dialog.getByLabel("Expression").inputValue()).toBe("30 3 * * mon-fri");
  expect(await dialog.getByLabel("Time zone (optional)").inputValue()).toBe("Europe/Berlin");
  await dialog.getByText("Next times (Europe/Berlin):").waitFor();
  await dialog.getByLabel("Expression").fill("30 25 * * *");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").first().waitFor();
  expect(await client.schedules.get(stored.id)).toEqual(stored);
  await ui.picture("edit-schedule-error");
  await dialog.getByLabel("Expression").fill("0 4 * * *");
  await dialog.getByLabel("Name (optional)").fill("At night");
  await dialog.getByLabel("Missed times").selectOption("One run for all of them");
  await dialog.getByLabel("Random delay").fill("30s");
  await expectSound(ui);
  await ui.picture("edit-schedule");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("every day at 04:00", { exact: true }).waitFor();
  await page.getByText("At night", { exact: true }).waitFor();
  const { revision: _, updated_at: __, next_run_at: ___, ...kept } = stored;
  expect(await client.schedules.get(stored.id)).toMatchObject({
    ...kept,
    name: "At night",
    expression: "0 4 * * *",
    jitter: "30s",
    misfire: { policy: "run_once", window: "2d", max_runs: 7 },
  });

  await open();
  // somebody else changes it meanwhile
  await client.schedules.update(stored.id, { name: "Later" });
  await dialog.getByLabel("Expression").fill("0 5 * * *");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").first().waitFor();
  expect(await client.schedules.get(stored.id)).toMatchObject({ name: "Later", expression: "0 4 * * *" });
});

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
  await ui.goToTask(task.id);
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

  // a name that is emptied is made from the times again
  await open();
  expect(await dialog.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Name (optional)").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await client.schedules.get(stored.id)).name).toBe("0 4 * * *");
});

test("what somebody else changed in a schedule is shown, and own changes are put on top of it", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const client = connectLocal({ socketPath: daemon.socketPath });
  const { page } = ui;
  const task = await client.tasks.create({ name: "Backup", command: { kind: "exec", program: "true" } });
  const { id } = await client.schedules.create({ task_id: task.id, kind: "cron", expression: "0 4 * * *" });
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save" });
  await ui.goToTask(task.id);
  await page.getByRole("button", { name: "Actions of 0 4 * * *" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialog.getByLabel("Expression").fill("0 5 * * *");
  // the change comes while this one is on its way
  const address = `**/api/v1/schedules/${id}`;
  await page.route(address, async (route) => {
    await client.schedules.update(id, { name: "Later", jitter: "30s" });
    await route.continue();
  });
  await save.click();
  await dialog.getByText("Random delay: 0s becomes 30s").waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(1);
  expect(await save.isDisabled()).toBe(true);
  expect(await client.schedules.get(id)).toMatchObject({ name: "Later", expression: "0 4 * * *" });
  await expectSound(ui);
  await page.unroute(address);
  await dialog.getByRole("button", { name: "Go on with the newest state" }).click();
  expect(await dialog.getByLabel("Name (optional)").inputValue()).toBe("Later");
  await save.click();
  await dialog.waitFor({ state: "detached" });
  expect(await client.schedules.get(id)).toMatchObject({ name: "Later", expression: "0 5 * * *", jitter: "30s" });
});

test("a schedule without times of the clock is added without what only the others have", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath, width: 360, height: 740 });
  const client = connectLocal({ socketPath: daemon.socketPath });
  const { page } = ui;
  const task = await client.tasks.create({ name: "Backup", command: { kind: "exec", program: "true" } });
  const dialog = page.getByRole("dialog");
  await ui.goToTask(task.id);
  await page.getByRole("button", { name: "Add a schedule" }).click();
  await ui.picture("add-schedule-narrow");
  await dialog.getByLabel("Random delay").fill("soon");
  await dialog.getByLabel("Kind").selectOption("At each boot of the machine");
  await expectSound(ui);
  await dialog.getByRole("button", { name: "Create the schedule" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await client.schedules.list()).schedules).toMatchObject([{ kind: "boot", jitter: "0s", name: "at boot" }]);
});

test.each([1_280, 360])(
  "next times that appear, and an error, move nothing of the form, %i pixels wide",
  async (width) => {
    await using daemon = await startDaemon();
    await using ui = await openScreens({ screens, socket: daemon.socketPath, width });
    const { page } = ui;
    await ui.go("/tasks/new");
    const act = page.getByRole("button", { name: "Create the task" });
    const placeOf = async () =>
      Number(await act.evaluate((it) => it.getBoundingClientRect().top + it.ownerDocument.defaultView!.scrollY));
    await page.getByText("The next times appear here.").waitFor();
    const place = await placeOf();
    await page.getByLabel("Expression").fill("0 3 * * *");
    await page.getByText(/^Next times/).waitFor();
    await expect.poll(() => page.getByRole("status").getByRole("listitem").count()).toBe(5);
    expect(await placeOf()).toBe(place);
    await act.scrollIntoViewIfNeeded();
    await ui.picture("new-task-times");
    await page.getByLabel("Expression").fill("30 25 * * *");
    await page.getByRole("status").filter({ hasText: "hour" }).waitFor();
    expect(await placeOf()).toBe(place);
    await page.getByLabel("Expression").fill("");
    await page.getByText("The next times appear here.").waitFor();
    expect(await placeOf()).toBe(place);
    expect(ui.errors).toEqual([]);
  },
);

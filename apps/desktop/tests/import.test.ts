import { connectLocal } from "@belfry/client/local";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { holdSocket } from "./support/held-socket.ts";
import { expectSound, openScreens, type Screens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

/** Answers every question with no, and keeps what was asked. */
function refuseQuestions(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  return asked;
}

const crontab = `MAILTO=ops@example.org
PATH=/opt/bin:/usr/bin:/bin
# Nightly backup
0 3 * * * /usr/local/bin/backup --all
*/15 * * * * check-queue
@reboot warm-cache
61 * * * * never
`;

const line = (ui: Screens, text: string) =>
  ui.page.getByRole("list", { name: "Lines of the crontab" }).getByRole("listitem").filter({ hasText: text });

test("a crontab is pasted, checked and imported", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const parent = await client.groups.create({ name: "Servers" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/import");
  await page.getByLabel("Crontab", { exact: true }).waitFor();
  await page.getByLabel("Inside").selectOption("Servers");
  await ui.picture("import-first");
  await expectSound(ui);

  await page.getByLabel("Crontab", { exact: true }).fill(crontab);
  await line(ui, "Nightly backup").getByText("every day at 03:00").waitFor();
  await line(ui, "Nightly backup")
    .getByText(/next .*:00:00/)
    .waitFor();
  await line(ui, "check-queue").getByText("every 15 minutes").waitFor();
  await line(ui, "warm-cache").getByText("when the machine starts").waitFor();
  await line(ui, "61 * * * * never").getByText("Refuse").waitFor();
  await line(ui, "MAILTO").getByText("Ignore").waitFor();
  await page.getByLabel("New group").fill("Old cron");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("The daemon has checked it").waitFor();
  expect(await page.getByRole("button", { name: "Import 3 tasks" }).isDisabled()).toBe(true);
  await ui.picture("import-checked");
  await expectSound(ui);
  expect((await client.tasks.list()).tasks).toEqual([]);

  await page.getByLabel("Import without the 1 refused line").check();
  await page.getByRole("button", { name: "Import 3 tasks" }).click();
  await page.getByText("cron still runs these jobs").waitFor();
  await ui.picture("import-done");
  await expectSound(ui);
  const { tasks } = await client.tasks.list();
  expect(new Set(tasks.map(({ name }) => name))).toEqual(new Set(["Nightly backup", "check-queue", "warm-cache"]));
  expect(tasks.every(({ group_name }) => group_name === "Old cron")).toBe(true);
  const { groups } = await client.groups.list({ q: "Old cron" });
  expect(groups).toMatchObject([{ name: "Old cron", parent_id: parent.id }]);
  const { schedules } = await client.schedules.list();
  expect(new Set(schedules.map(({ kind, expression }) => expression ?? kind))).toEqual(
    new Set(["*/15 * * * *", "0 3 * * *", "boot"]),
  );
  await page.getByRole("link", { name: "Nightly backup" }).click();
  await expect.poll(() => page.url()).toContain(tasks.find(({ name }) => name === "Nightly backup")!.id);
});

test("what only the daemon knows is said beside its line, and by the group", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  await client.groups.create({ name: "Taken" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath, isDark: true });
  const { page } = ui;
  await ui.go("/import");
  const field = page.getByLabel("Crontab", { exact: true });
  await field.fill("CRON_TZ=Mars/Olympus\n0 3 * * * root run-parts /etc/cron.daily");
  await page.getByLabel("Form of the crontab").selectOption("system");
  await page.getByLabel("Run all jobs as the daemon's own user").check();
  await line(ui, "run-parts").getByText("will run as the daemon's user, not as root").waitFor();
  await page.getByRole("button", { name: "Check" }).click();
  await line(ui, "CRON_TZ").getByText("Refuse").waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await ui.picture("import-refused-narrow");
  await expectSound(ui);

  await field.fill("0 3 * * * root run-parts /etc/cron.daily");
  await page.getByLabel("New group").fill("Taken");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("alert").filter({ hasText: "Taken" }).waitFor();
  expect((await client.tasks.list()).tasks).toEqual([]);
});

test("a file is dropped, and names its group", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/import");
  await page
    .getByLabel("A crontab file")
    .setInputFiles({ name: "web.cron", mimeType: "text/plain", buffer: Buffer.from("0 4 * * 1 report\r\n") });
  await line(ui, "report").getByText("on Mondays at 04:00").waitFor();
  expect(await page.getByLabel("New group").inputValue()).toBe("web");
});

test("a file in another encoding is refused, and what was typed stays", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/import");
  await page.getByLabel("Crontab", { exact: true }).fill("0 4 * * 1 report");
  await page.getByLabel("A crontab file").setInputFiles({
    name: "old.cron",
    mimeType: "text/plain",
    buffer: Buffer.from("0 5 * * * m\u00fcll\n", "latin1"),
  });
  await page.getByText("old.cron is not UTF-8 text. Convert it to UTF-8.").waitFor();
  expect(await page.getByLabel("Crontab", { exact: true }).inputValue()).toBe("0 4 * * 1 report");
  expect(ui.errors).toEqual([]);
});

test("a crontab that was pasted is not left without a question", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/import");
  const field = page.getByLabel("Crontab", { exact: true });
  await field.fill("0 4 * * 1 report");
  const asked: string[] = [];
  const isAsked = Promise.withResolvers<void>();
  page.once("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
    isAsked.resolve();
  });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await isAsked.promise;
  expect(asked).toEqual(["Leave without importing the crontab?"]);
  expect(await field.inputValue()).toBe("0 4 * * 1 report");
});

test("an import whose answer was lost ends with its result, once it is known to have been done", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const asked = refuseQuestions(page);
  await ui.go("/import");
  const field = page.getByLabel("Crontab", { exact: true });
  await field.fill("0 4 * * 1 report");
  await page.getByLabel("New group").fill("Old cron");
  await page.getByRole("button", { name: "Check" }).click();
  const send = page.getByRole("button", { name: "Import 1 task" });
  await send.waitFor();
  held.treat("cut-changes");
  await send.click();
  await page.getByText("The result is unknown").waitFor();
  held.treat("pass");
  await page.getByRole("button", { name: "Look again" }).click();
  await page.getByText("It was done").waitFor();
  await page.getByText("cron still runs these jobs").waitFor();
  await page.getByText("belfry group delete 'Old cron'").waitFor();
  expect(await field.count()).toBe(0);
  await ui.picture("import-found");
  await expectSound(ui);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("It was done").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Import another crontab" }).click();
  expect(await field.inputValue()).toBe("");
  await page.getByRole("button", { name: "Check" }).waitFor();
  await ui.go("/tasks");
  await page.getByRole("heading", { name: "Tasks", exact: true, level: 1 }).waitFor();
  expect(asked).toEqual([]);
  expect((await client.tasks.list()).tasks.map(({ name }) => name)).toEqual(["report"]);
});

test("an import whose result is unknown is neither forgotten by another text nor called not done", async () => {
  await using daemon = await startDaemon();
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const asked = refuseQuestions(page);
  const field = page.getByLabel("Crontab", { exact: true });
  const check = page.getByRole("button", { name: "Check" });
  const send = page.getByRole("button", { name: "Import 1 task" });
  await ui.go("/import");
  await field.fill("0 4 * * 1 report");
  await check.click();
  await send.waitFor();
  held.treat("cut-changes");
  await send.click();
  await page.getByText("The result is unknown").waitFor();
  held.treat("pass");
  await page.getByLabel("New group").fill("Other");
  await check.click();
  await send.waitFor();
  expect(await send.isDisabled()).toBe(true);
  await page.getByText("The result is unknown").waitFor();
  await field.focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect.poll(() => asked).toEqual(["Leave without knowing whether the crontab was imported?"]);
});

/** A crontab of so many jobs. Every second one has the same time as others. */
const longCrontab = (first: string, jobs: number): string =>
  [first, ...Array.from({ length: jobs - 1 }, (_, at) => `${at % 2 ? 0 : at % 60} ${at % 24} * * * job-${at}`)].join(
    "\n",
  );

test("of a long crontab, only the lines in the window are drawn", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const lines = line(ui, "");
  await ui.go("/import");
  await page.getByLabel("Crontab", { exact: true }).fill(longCrontab("5 5 * * * first", 2_000));
  await line(ui, "first").waitFor();
  expect(await lines.count()).toBeLessThan(60);
  expect(await lines.first().getAttribute("aria-setsize")).toBe("2000");
  await expectSound(ui);
  await page.getByRole("button", { name: "Check" }).scrollIntoViewIfNeeded();
  await line(ui, "job-1998").waitFor();
  expect(await line(ui, "job-1998").getAttribute("aria-posinset")).toBe("2000");
  expect(await lines.count()).toBeLessThan(60);
  await ui.picture("import-long");
  await expectSound(ui);
});

test("the next times of a crontab are asked for once each, a few at once, and again only for a time that changed", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  await client.groups.create({ name: "Servers" });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  let waiting: (() => void)[] = [];
  const asked: string[] = [];
  await page.route("**/api/v1/schedules/preview", async (route) => {
    asked.push((route.request().postDataJSON() as { draft: { expression: string } }).draft.expression);
    await new Promise<void>((resolve) => waiting.push(resolve));
    // a line that is not drawn any more needs no answer
    await route.continue().catch(() => undefined);
  });
  const lines = line(ui, "");
  const field = page.getByLabel("Crontab", { exact: true });
  await ui.go("/import");
  // a change is seen only after the stream of events has begun, with which all is read again
  const inside = (name: string) =>
    page.getByLabel("Inside").getByRole("option", { name }).waitFor({ state: "attached" });
  await inside("Servers");
  await client.groups.create({ name: "Machines" });
  await inside("Machines");
  await field.fill(longCrontab("5 5 * * * first", 60));
  await line(ui, "first").waitFor();
  // the others wait for these
  await expect.poll(() => waiting.length).toBe(4);
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  expect(asked).toHaveLength(4);
  const withoutTime = async (): Promise<number> => {
    for (const go of waiting) go();
    waiting = [];
    return lines.filter({ hasNotText: /next / }).count();
  };
  await expect.poll(withoutTime).toBe(0);
  expect(new Set(asked).size).toBe(asked.length);
  const before = asked.length;
  await field.fill(longCrontab("6 5 * * * first", 60));
  await line(ui, "6 5 * * * first").waitFor();
  await expect.poll(withoutTime).toBe(0);
  expect(asked.slice(before)).toEqual(["6 5 * * *"]);
});

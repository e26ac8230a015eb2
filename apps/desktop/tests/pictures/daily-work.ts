import { tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { startRemoteDaemon } from "../../../../packages/server/tests/support/remote.ts";
import { enrol, pairLaptop } from "../support/enrol.ts";
import { holdSocket } from "../support/held-socket.ts";
import { openScreens, useScreens } from "../support/open-screens.ts";
import { startCompany } from "./company.ts";
import { makeTasks } from "./company-tasks.ts";
import { simulateWeek } from "./simulated-week.ts";
import { take, takeForDocs, visit } from "./take.ts";

const screens = useScreens();

const crontab = `MAILTO=admin@example.org
PATH=/usr/local/bin:/usr/bin:/bin
# Nightly backup
30 2 * * * /usr/local/bin/backup --all
*/15 * * * 1-5 /usr/local/bin/import-orders
@reboot /usr/local/bin/warm-cache
0 25 * * * /usr/local/bin/never`;

test("pictures of daily work: the timeline, dialogs, the palette and an import", async () => {
  await using inbox = await tempDir();
  await using data = await tempDir("bf-");
  await using daemon = await startCompany({ data: data.path, inbox: inbox.path, hook: "http://127.0.0.1:9/hook" });
  const { task, queued } = daemon.company;
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const dialog = page.getByRole("dialog");
  await visit(ui, "/?span=7d");
  await take(ui, "now-week");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("back");
  await dialog.getByRole("option", { name: /Back up the files/ }).waitFor();
  await take(ui, "palette");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await dialog.waitFor();
  await take(ui, "keys");
  await page.keyboard.press("Escape");
  await visit(ui, `/tasks/${task}`);
  await page.getByRole("button", { name: "The coming month" }).click();
  for (const part of ["Schedules", "Chains", "Notifications"]) {
    await page.getByRole("region", { name: part, exact: true }).evaluate((section) => section.scrollIntoView());
    await take(ui, `task-${part.toLowerCase()}`);
  }
  await page.getByRole("button", { name: "Add a schedule" }).click();
  await dialog.waitFor();
  await take(ui, "task-schedule-form");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByText("deleted with the task").waitFor();
  await take(ui, "task-delete");
  await page.keyboard.press("Escape");
  await visit(ui, `/runs/${queued}`);
  await take(ui, "run-queued");
  await visit(ui, "/agenda?days=7");
  await take(ui, "agenda-week");
  await visit(ui, "/import");
  await page.getByLabel("Crontab", { exact: true }).fill(crontab);
  await page.getByRole("checkbox", { name: /^Import without/ }).check();
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("nothing is imported yet").waitFor();
  await take(ui, "import-read");
  await page.getByRole("list", { name: "Lines of the crontab" }).evaluate((list) => list.scrollIntoView());
  await take(ui, "import-report");
  await page.getByRole("button", { name: /^Import \d/ }).click();
  await page.getByRole("button", { name: /another/ }).waitFor();
  await take(ui, "import-done");
  await visit(ui, "/tasks");
  await page.getByRole("row", { name: /^Backups/ }).click();
  await take(ui, "tasks-folded");
  await page.getByRole("row", { name: /^Backups/ }).click();
  await page.getByRole("button", { name: "Run Stock level" }).click();
  await take(ui, "tasks-run");
  held.treat("cut-changes");
  await dialog.getByRole("button", { name: "Run" }).click();
  await dialog.getByText("The result is unknown").waitFor();
  await take(ui, "tasks-uncertain");
  held.treat("pass");
  await dialog.getByRole("button", { name: "Look again" }).click();
  await dialog.getByText(/^(It was done|It was not done)/).waitFor();
  await take(ui, "tasks-uncertain-found");
  await page.keyboard.press("Escape");
  for (const [name, path] of [
    ["now", "/"],
    ["tasks", "/tasks"],
    ["task", `/tasks/${task}`],
    ["run", `/runs/${queued}`],
  ] as const) {
    held.treat("hold");
    await ui.go(path);
    await page.reload();
    await page.getByRole("status", { name: "Loading" }).first().waitFor();
    await take(ui, `${name}-loading`);
    held.treat("pass");
    await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
  }
  held.treat("cut");
  await ui.go("/");
  await page.reload();
  await page.getByText("Not known: the daemon does not answer.").first().waitFor();
  await take(ui, "now-never-heard");
  expect(ui.errors).toEqual([]);
});

test("pictures for the documents", async () => {
  await using inbox = await tempDir();
  await using data = await tempDir("bf-");
  await using daemon = await startCompany({ data: data.path, inbox: inbox.path, hook: "http://127.0.0.1:9/hook" });
  const { task, failed } = daemon.company;
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  await visit(ui, `/tasks/${task}`);
  await ui.page.getByRole("button", { name: "7d" }).click();
  await takeForDocs(ui, "task", { height: 860 });
  await visit(ui, `/runs/${failed}`);
  await takeForDocs(ui, "run", { height: 740 });
  await visit(ui, "/tasks");
  await takeForDocs(ui, "tasks-narrow", { width: 360, height: 640 });
  await visit(ui, "/?span=7d");
  await takeForDocs(ui, "week-dark", { height: 1_092, isDark: true });
  // last, so that what runs has run for some seconds
  await visit(ui, "/");
  await takeForDocs(ui, "now", { height: 1_092 });
  expect(ui.errors).toEqual([]);
});

test("pictures for somebody who may only observe", async () => {
  await using data = await tempDir("bf-");
  const tasks = await simulateWeek(data.path, makeTasks);
  await using local = await startDaemon();
  await using remote = await startRemoteDaemon({ dataDir: data.path });
  const pairing = await pairLaptop(remote, "observe");
  await using ui = await openScreens({ screens, socket: local.socketPath });
  const { page } = ui;
  await visit(ui, "/connections");
  await enrol(ui, { ...pairing, name: "other" });
  await page.getByText("observe, as Laptop").waitFor();
  for (const [name, path] of [
    ["now", "/"],
    ["tasks", "/tasks"],
    ["task", `/tasks/${tasks.backup}`],
    ["task-new", "/tasks/new"],
    ["import", "/import"],
  ] as const) {
    await visit(ui, path);
    await take(ui, `${name}-observe`);
  }
  expect(ui.errors).toEqual([]);
});

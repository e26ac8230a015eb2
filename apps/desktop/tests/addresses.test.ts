import { tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { makeSamples } from "./support/all-screens.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const task = (name: string) => ({ name, command: { kind: "shell", script: "true" } });

async function startWith(withData: (daemon: Awaited<ReturnType<typeof startDaemon>>) => Promise<void>) {
  const daemon = await startDaemon();
  await withData(daemon);
  const ui = await openScreens({ screens, socket: daemon.socketPath });
  const rows = () => ui.page.locator("main [data-row]").count();
  return {
    daemon,
    ui,
    page: ui.page,
    /** Waits until the table has so many rows. */
    sees: (count: number) => expect.poll(rows).toBe(count),
    [Symbol.asyncDispose]: async () => {
      await ui[Symbol.asyncDispose]();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

test("what was searched for is still there after a look at a task, and after the page is loaded again", async () => {
  await using at = await startWith(async (daemon) => {
    for (const name of ["Backup", "Back office", "Report"]) await daemon.call("POST", "/v1/tasks", task(name));
  });
  const { page, ui } = at;
  const field = page.getByLabel("Search tasks");
  await ui.go("/tasks");
  await at.sees(3);
  await field.fill("back");
  await at.sees(2);
  await page.getByRole("row", { name: /Backup/ }).click();
  await page.getByRole("heading", { name: "Backup" }).waitFor();
  await page.goBack();
  await at.sees(2);
  expect(await field.inputValue()).toBe("back");
  await page.reload();
  await at.sees(2);
  expect(await field.inputValue()).toBe("back");
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: "Back office" }).click({ modifiers: ["ControlOrMeta"] }),
  ]);
  await tab.getByRole("heading", { name: "Back office" }).waitFor();
  await at.sees(2);
  // the link of the rail leads to all tasks
  await page.getByRole("navigation").getByRole("link", { name: "Tasks" }).click();
  await at.sees(3);
  expect(await field.inputValue()).toBe("");
});

test("a search for triggers is part of the address", async () => {
  await using at = await startWith(async (daemon) => {
    const { json } = await daemon.call("POST", "/v1/tasks", task("Deploy"));
    for (const name of ["CI", "Colleague"])
      await daemon.call("POST", "/v1/triggers", { name, target_task_id: json.id });
  });
  await at.ui.go("/triggers");
  await at.sees(2);
  await at.page.getByLabel("Search triggers").fill("ci");
  await at.sees(1);
  await at.page.reload();
  await at.page.getByRole("row", { name: /CI/ }).waitFor();
  await at.sees(1);
  expect(await at.page.getByLabel("Search triggers").inputValue()).toBe("ci");
});

test("a watcher has a page, from which the list comes back as it was filtered", async () => {
  await using dir = await tempDir();
  const ids: { task?: string; watcher?: string } = {};
  await using at = await startWith(async (daemon) => {
    for (const name of ["Load", "Report"]) {
      const { json } = await daemon.call("POST", "/v1/tasks", task(name));
      const watcher = { name: `For ${name}`, target_task_id: json.id, kind: "directory", path: dir.path };
      const made = await daemon.call("POST", "/v1/filesystem-watchers", watcher);
      expect(made.status).toBe(201);
      ids.task = json.id;
      ids.watcher = made.json.id;
    }
  });
  const { page, ui } = at;
  const isOpen = (name: string) => page.getByRole("heading", { name, exact: true, level: 1 }).waitFor();
  await ui.go("/watchers");
  await at.sees(2);
  await ui.go(`/watchers?task=${ids.task}`);
  await at.sees(1);
  await page.getByRole("row", { name: /For Report/ }).click();
  await isOpen("For Report");
  await page.reload();
  await page.getByText(dir.path).waitFor();
  await page.getByText("The history has no run that this watcher started.").waitFor();
  await page.keyboard.press("Escape");
  await isOpen("Watchers");
  await at.sees(1);

  // the form is a page too, and asks before what was typed is lost
  await page.getByRole("row", { name: /For Report/ }).focus();
  await page.keyboard.press("Enter");
  await isOpen("For Report");
  await page.getByRole("button", { name: "Edit" }).waitFor();
  await page.keyboard.press("e");
  await isOpen("Edit For Report");
  await page.getByLabel("Name", { exact: true }).fill("Other");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void (asked.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => asked.length).toBe(1);
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Other");
  await page.getByRole("button", { name: "Cancel" }).click();
  await isOpen("For Report");

  await ui.go(`/watchers/new?task=${ids.task}`);
  await isOpen("New watcher");
  await expect.poll(() => page.getByRole("combobox", { name: "Task to start" }).inputValue()).toBe(ids.task);
  await ui.go("/watchers/wat_00000000000000000000");
  await page.getByRole("alert").getByText("Not found").waitFor();
});

test("the filters of the audit trail, and an opened event, are part of the address", async () => {
  const dayLater = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const today = dayLater(0);
  const future = dayLater(2);
  await using at = await startWith(async (daemon) => {
    for (const name of ["One", "Two"]) await daemon.call("POST", "/v1/tasks", task(name));
    await daemon.call("POST", "/v1/groups", { name: "Web" });
  });
  const { page, ui } = at;
  await ui.go("/audit");
  await page.getByRole("row", { name: /groups\.create/ }).waitFor();
  await page.getByLabel("Operation").fill("tasks.create");
  await at.sees(2);
  await page.getByLabel("From").fill(future);
  await page.getByText("No record matches these filters.").waitFor();
  await page.getByLabel("From").fill(today);
  await page.getByLabel("Until").fill(future);
  await at.sees(2);
  await page
    .getByRole("row", { name: /tasks\.create/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: "Audit record" });
  await dialog.getByText("tasks.create").waitFor();
  const hash = await dialog.locator("code").last().innerText();
  await page.reload();
  await dialog.getByText(hash).waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
  await at.sees(2);
  expect(await page.getByLabel("From").inputValue()).toBe(today);
  await ui.go(`/audit?event=aud_00000000000000000000&at=${new Date().toISOString()}`);
  await dialog.getByText("The trail has no such record.").waitFor();
});

test("a date is typed digit by digit, and becomes part of the address once it is whole", async () => {
  await using at = await startWith(async (daemon) => {
    await daemon.call("POST", "/v1/groups", { name: "Web" });
  });
  const { page, ui } = at;
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (/\/(audit|agenda)/.test(pathname)) asked.push(searchParams.get("since") ?? searchParams.get("from") ?? "any");
  });
  const type = async (day: string): Promise<void> => {
    // a day whose digits are those of its month, because its place depends on the browser
    await page.getByLabel("From").focus();
    await page.keyboard.type(day, { delay: 30 });
  };
  const year = new Date().getUTCFullYear();
  const next = Date.now() < Date.UTC(year, 11, 11) ? year : year + 1;
  const from = page.getByLabel("From");
  const lengthOf = () => page.evaluate<number>("history.length");

  await ui.go("/audit");
  await page.getByRole("row", { name: /groups\.create/ }).waitFor();
  const entries = await lengthOf();
  asked.length = 0;
  await type(`1111${year - 1}`);
  expect(await from.inputValue()).toBe(`${year - 1}-11-11`);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain(`from=${year - 1}-11-11`);
  await at.sees(1);
  expect(await from.inputValue()).toBe(`${year - 1}-11-11`);
  // what stood there before may be read again, and this one too
  expect([...new Set(asked.filter((since) => since !== "any"))]).toEqual([`${year - 1}-11-10T23:00:00.000Z`]);
  expect(await lengthOf()).toBe(entries);
  // a date that is left before it is whole was none
  await page.keyboard.press("Shift+Tab");
  await from.focus();
  await page.keyboard.press("Backspace");
  await page.getByLabel("Operation").focus();
  await expect.poll(() => from.inputValue()).toBe(`${year - 1}-11-11`);

  // on its way, the date is one before today
  await ui.go("/agenda");
  await page.getByRole("heading", { name: "Agenda" }).waitFor();
  const today = await from.inputValue();
  await type(`1212${next}`);
  expect(await from.inputValue()).toBe(`${next}-12-12`);
  expect(page.url()).not.toContain("from=");
  await page.getByLabel("Time zone").focus();
  await expect.poll(() => page.url()).toContain(`from=${next}-12-12`);
  await page
    .getByText(/12 Dec/)
    .first()
    .waitFor();
  expect(await from.inputValue()).toBe(`${next}-12-12`);
  // a day that is over has no coming runs
  await type("02022020");
  await page.keyboard.press("Enter");
  await expect.poll(() => from.inputValue()).toBe(today);
  expect(page.url()).not.toContain("from=");
  expect(ui.errors).toEqual([]);
});

test("a filter of the address that has no field says what it is about, and can be removed", async () => {
  await using daemon = await startDaemon();
  const samples = await makeSamples(daemon);
  const other = (await daemon.call("POST", "/v1/tasks", { ...task("Report"), labels: { team: "web" } })).json;
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const chip = (text: string) => page.getByRole("button", { name: `Remove the filter ${text}` });
  const row = (name: RegExp) => page.getByRole("row", { name });
  const dialog = page.getByRole("dialog");
  for (const [place, name] of [
    ["triggers", /Deploy/],
    ["watchers", /Inbox/],
  ] as const) {
    await ui.go(`/${place}?task=${other.id}`);
    await chip("Task Report").waitFor();
    expect(await row(name).count()).toBe(0);
    await chip("Task Report").click();
    await row(name).waitFor();
    expect(page.url()).not.toContain("task=");
    expect(await chip("").count()).toBe(0);
  }

  await ui.go("/tasks?label=team:web");
  await row(/Report/).waitFor();
  await chip("Label team:web").waitFor();
  expect(await row(/Backup/).count()).toBe(0);
  await expectSound(ui);
  await ui.picture("chip-tasks");
  await chip("Label team:web").click();
  await row(/Backup/).waitFor();

  // all tasks are sent for, whatever the list is limited to
  await ui.go(`/deliveries?channel=${samples.channel}&task=${samples.task}&run=${samples.run}`);
  await chip("Task Backup").waitFor();
  await chip("Run Backup").waitFor();
  await page.getByRole("button", { name: "Send failed ones again" }).click();
  await dialog.getByText("Every delivery to On call that failed in the last 24 hours").waitFor();
  await dialog.getByText("This includes the deliveries of all tasks, not only those in the list.").waitFor();
  await expectSound(ui);
  await ui.picture("chip-deliveries-dialog");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await ui.picture("chip-deliveries");
  await chip("Run Backup").click();
  await chip("Run Backup").waitFor({ state: "detached" });
  expect(await row(/On call/).count()).toBe(0);
  await chip("Task Backup").click();
  await row(/On call/).waitFor();
  expect(page.url()).toContain("channel=");
  await page.getByRole("button", { name: "Send failed ones again" }).click();
  await dialog.getByText("Every delivery to On call that failed").waitFor();
  expect(await dialog.getByText("of all tasks").count()).toBe(0);
  expect(ui.errors).toEqual([]);
});

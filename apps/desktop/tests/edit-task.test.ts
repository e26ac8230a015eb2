import { connectLocal } from "@belfry/client/local";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { holdSocket } from "./support/held-socket.ts";
import { expectSound, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

test("a task is created with a schedule, runs, is edited, and is deleted by its name", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/tasks");
  // until it is known that there is no task, the button is elsewhere
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  await page.getByRole("button", { name: "New task" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Backup");
  await page.getByLabel("Script", { exact: true }).fill("echo saved; exit 4");
  await page.getByLabel("Expression").fill("61 * * * *");
  await page.getByRole("status").filter({ hasText: "61" }).waitFor();
  await ui.picture("new-task-error");
  await page.getByLabel("Expression").fill("0 3 * * *");
  await page
    .getByText(/03:00:00|04:00:00/)
    .first()
    .waitFor();
  await expectSound(ui);
  await ui.picture("new-task");
  await page.getByRole("button", { name: "Create the task" }).click();
  await page.getByRole("heading", { name: "Backup", exact: true }).waitFor();
  await page.getByText("0 3 * * *").first().waitFor();
  const [task] = (await daemon.call("GET", "/v1/tasks")).json.tasks;
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run" }).click();
  await page.waitForURL(/#\/runs\//);
  await until("the end", async () => (await daemon.call("GET", "/v1/runs")).json.runs[0]?.ended_at);
  await page.getByRole("button", { name: "Rerun" }).waitFor();

  await ui.goToTask(task.id);
  await page.getByRole("row", { name: /exited with code 4/ }).waitFor();
  await page.getByRole("button", { name: "▸ The coming month" }).click();
  await page.getByRole("button", { name: "Explain now" }).click();
  await page.getByText(/By hand:/).waitFor();
  await expectSound(ui);
  await ui.picture("task");

  await page.keyboard.press("e");
  await page.getByRole("heading", { name: "Edit Backup" }).waitFor();
  await page.getByText("Nothing yet.").waitFor();
  await page.getByText("User, directory and environment").click();
  await page.getByLabel("Add or replace variables").fill("TOKEN=secret-value");
  await page.getByText("Time, retries and limits").click();
  await page.getByLabel("Timeout").fill("soon");
  await page.getByText("environment: TOKEN gets a new value").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").first().waitFor();
  await ui.picture("edit-task-error");
  await page.getByLabel("Timeout").fill("90s");
  await expectSound(ui);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Backup", exact: true }).waitFor();
  expect((await daemon.call("GET", `/v1/tasks/${task.id}`)).json).toMatchObject({
    timeout: "90s",
    environment_names: ["TOKEN"],
    retry: task.retry,
  });
  expect(await page.content()).not.toContain("secret-value");

  await page.getByRole("button", { name: "More ▾" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page
    .getByRole("dialog")
    .getByText(/^1 schedule \(.+\) is deleted with the task\.$/)
    .waitFor();
  await ui.picture("delete-task");
  await page.getByLabel("Type “Backup” to confirm").fill("Backup");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  expect((await daemon.call("GET", "/v1/tasks")).json.tasks).toEqual([]);
});

test("what somebody else changed meanwhile is shown, and own changes are put on top of it", async () => {
  await using daemon = await startDaemon();
  const { json: task } = await daemon.call("POST", "/v1/tasks", {
    name: "Backup",
    command: { kind: "shell", script: "true" },
  });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/tasks/${task.id}/edit`);
  await page.getByLabel("Description").fill("Mine");
  await daemon.call("PATCH", `/v1/tasks/${task.id}`, { timeout: "1h" });
  await page.getByText("Timeout: nothing becomes 1h").waitFor();
  expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await ui.picture("edit-task-outdated");
  await expectSound(ui);
  await page.getByRole("button", { name: "Go on with the newest state" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Backup", exact: true }).waitFor();
  expect((await daemon.call("GET", `/v1/tasks/${task.id}`)).json).toMatchObject({ description: "Mine", timeout: "1h" });
});

test("a save that is refused says what somebody else changed once it is read, and is sent again on top of it", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script: "true" } });
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const address = `**/api/v1/tasks/${task.id}`;
  await ui.go(`/tasks/${task.id}/edit`);
  await page.getByLabel("Description").fill("Mine");
  await page.route(address, async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    await client.tasks.update(task.id, { timeout: "1h" });
    const answer = await route.fetch();
    held.treat("hold");
    return route.fulfill({ response: answer });
  });
  await page.getByRole("button", { name: "Save" }).click();
  const goOn = page.getByRole("button", { name: "Go on with the newest state" });
  await goOn.waitFor();
  expect(await page.getByRole("alert").count()).toBe(1);
  await page.unroute(address);
  held.treat("pass");
  await page.getByText("Timeout: nothing becomes 1h").waitFor();
  expect(await page.getByRole("alert").count()).toBe(1);
  await expectSound(ui);
  await goOn.click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Backup", exact: true }).waitFor();
  expect(await client.tasks.get(task.id)).toMatchObject({ description: "Mine", timeout: "1h" });
});

test("what a save itself changed is not called somebody else's change", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script: "true" } });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/tasks/${task.id}/edit`);
  await page.getByLabel("Description").fill("Mine");
  const answered = Promise.withResolvers<void>();
  const address = `**/api/v1/tasks/${task.id}`;
  await page.route(address, async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    const answer = await route.fetch();
    await answered.promise;
    return route.fulfill({ response: answer });
  });
  // the event of the change comes, and the task is read again, before the change is answered
  const isReadAgain = page.waitForResponse(
    async (response) => response.url().endsWith(task.id) && (await response.text()).includes("Mine"),
  );
  await page.getByRole("button", { name: "Save" }).click();
  await isReadAgain;
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  expect(await page.getByText("Somebody changed this task meanwhile").count()).toBe(0);
  answered.resolve();
  await page.getByRole("heading", { name: "Backup", exact: true }).waitFor();
});

test("a group is chosen by its path, and a task keeps the group that it has while the groups are not known", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const [web, store] = [await client.groups.create({ name: "Web" }), await client.groups.create({ name: "Store" })];
  const own = await client.groups.create({ name: "Backups", parent_id: web.id });
  const other = await client.groups.create({ name: "Archive", parent_id: store.id });
  const task = await client.tasks.create({
    name: "Backup",
    command: { kind: "shell", script: "true" },
    group_id: own.id,
  });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.route("**/api/v1/groups*", (route) => route.abort());
  await ui.go(`/tasks/${task.id}/edit`);
  const group = page.getByLabel("Group", { exact: true });
  await group.waitFor();
  expect(await group.locator("option:checked").innerText()).toBe("Backups");
  await page.unroute("**/api/v1/groups*");
  await page.reload();
  await group.locator("option", { hasText: "Store / Archive" }).waitFor({ state: "attached" });
  expect(await group.locator("option:checked").innerText()).toBe("Web / Backups");
  await group.selectOption("Store / Archive");
  await page.getByText("Group: Web / Backups becomes Store / Archive").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Backup", exact: true }).waitFor();
  expect((await client.tasks.get(task.id)).group_id).toBe(other.id);
});

test("a form that was opened by its address is left for the page to which it belongs, after a question if something is not saved", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script: "true" } });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const asked: string[] = [];
  for (const [path, title, left] of [
    [`/tasks/${task.id}/edit`, "Edit Backup", "Backup"],
    ["/tasks/new", "New task", "Tasks"],
  ] as const) {
    const page = await ui.context.newPage();
    await page.goto(ui.server.newAddress());
    await page.locator("#places").waitFor({ state: "attached" });
    await page.evaluate(`location.replace("#${path}")`);
    await page.getByRole("heading", { name: title, exact: true }).waitFor();
    await page.getByLabel("Description").fill("Mine");
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: left, exact: true, level: 1 }).waitFor();
  }
  expect(asked).toEqual(["Leave without saving your changes?", "Leave without saving your changes?"]);
});

test("tasks are chained, and the graph shows both", async () => {
  await using daemon = await startDaemon();
  const add = async (name: string) =>
    (await daemon.call("POST", "/v1/tasks", { name, command: { kind: "shell", script: "true" } })).json.id;
  const first = await add("Extract");
  await add("Load");
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.goToTask(first);
  await page.getByRole("button", { name: "Add a chain" }).click();
  await page.getByRole("combobox", { name: "Task to start" }).selectOption({ label: "Load" });
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
  await page.getByText("succeeds,").waitFor();
  await page.locator(".react-flow__node", { hasText: "Load" }).waitFor();
  await ui.picture("task-chains");
  await expectSound(ui);
  await page.getByRole("button", { name: "Remove the chain from Extract to Load" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("No other task starts this one").waitFor();
});

test("an error of an argument stands beside the arguments alone, and standard input can be left as it is", async () => {
  await using daemon = await startDaemon();
  const { json: task } = await daemon.call("POST", "/v1/tasks", {
    name: "Backup",
    command: { kind: "exec", program: "/bin/echo", arguments: ["saved"] },
    standard_input: "kept",
  });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/tasks/${task.id}/edit`);
  await page.getByText("User, directory and environment").click();
  const input = page.getByLabel("Standard input");
  await input.fill("other");
  await page.getByText("Standard input is replaced").waitFor();
  await input.fill("");
  await page.getByText("Standard input is removed").waitFor();
  await page.getByRole("button", { name: "Leave standard input as it is" }).click();
  await page.getByText("Nothing yet.").waitFor();
  const words = page.getByLabel("Arguments", { exact: true });
  await words.fill("a\0b");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("textarea[aria-invalid=true]").waitFor();
  expect(await words.getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByRole("alert").count()).toBe(1);
  await expectSound(ui);
});

test("a task is called created without its schedule only when the schedule is known not to be", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  await using held = await holdSocket(daemon.socketPath);
  await using ui = await openScreens({ screens, socket: held.path });
  const { page } = ui;
  const fill = async (name: string): Promise<void> => {
    await ui.go("/tasks/new");
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Expression").fill("0 3 * * *");
    await page
      .getByText(/03:00:00|04:00:00/)
      .first()
      .waitFor();
  };
  const send = page.getByRole("button", { name: "Create the task" });
  const said = page.getByText("Its schedule was not");
  // each schedule is kept back, so that its answer can be treated
  const asked: (() => void)[] = [];
  const wanted = { isAsked: Promise.withResolvers<void>() };
  await page.route("**/api/v1/schedules", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const go = Promise.withResolvers<void>();
    asked.push(go.resolve);
    wanted.isAsked.resolve();
    await go.promise;
    return route.continue();
  });
  const atSchedule = async (act: () => Promise<void>): Promise<() => void> => {
    wanted.isAsked = Promise.withResolvers<void>();
    await act();
    await wanted.isAsked.promise;
    return asked.pop()!;
  };

  await fill("Backup");
  const go = await atSchedule(() => send.click());
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  expect(await said.count()).toBe(0);
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Backup");
  go();
  await page.getByRole("heading", { name: "Backup", exact: true, level: 1 }).waitFor();

  await fill("Report");
  const lost = await atSchedule(() => send.click());
  held.treat("cut-changes");
  lost();
  await page.getByText("The result is unknown").waitFor();
  expect(await said.count()).toBe(0);
  held.treat("pass");
  await page.getByRole("button", { name: "Look again" }).click();
  await page.getByText("It was done").waitFor();
  expect(await said.count()).toBe(0);
  expect(await page.getByRole("button", { name: "Create the schedule" }).isDisabled()).toBe(true);
  await expectSound(ui);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("heading", { name: "Report", exact: true, level: 1 }).waitFor();

  await fill("Sync");
  const never = await atSchedule(() => send.click());
  held.treat("lose-changes");
  never();
  await page.getByText("The result is unknown").waitFor();
  held.treat("pass");
  await page.getByRole("button", { name: "Look again" }).click();
  await page.getByText("The task Sync was created. Its schedule was not.").waitFor();
  const again = await atSchedule(() => page.getByRole("button", { name: "Create the schedule" }).click());
  again();
  await page.getByRole("heading", { name: "Sync", exact: true, level: 1 }).waitFor();

  // the answer to the task itself is lost: its schedule was not sent
  await fill("Load");
  held.treat("cut-changes");
  await send.click();
  await page.getByText("The result is unknown").waitFor();
  held.treat("pass");
  await page.getByRole("button", { name: "Look again" }).click();
  await page.getByText("The task Load was created. Its schedule was not.").waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  const last = await atSchedule(() => page.getByRole("button", { name: "Create the schedule" }).click());
  last();
  await page.getByRole("heading", { name: "Load", exact: true, level: 1 }).waitFor();
  const { schedules } = await client.schedules.list();
  expect(schedules.map(({ task_name }) => task_name).toSorted()).toEqual(["Backup", "Load", "Report", "Sync"]);
  expect((await client.tasks.list()).tasks).toHaveLength(4);
});

import { connectLocal } from "@belfry/client/local";
import { patienceMs, until } from "@belfry/test-kit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { untilLive } from "./support/live.ts";
import { expectSound, findSeriousFaults, go, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

/** The pages that a new daemon has, and what each says there. */
const first: Readonly<Record<string, string>> = {
  "/": "No tasks yet",
  "/tasks": "No tasks yet",
  "/tasks/new": "New task",
  "/runs": "No runs yet",
  "/agenda": "Agenda",
  "/import": "Import a crontab",
  "/triggers": "No triggers yet",
  "/triggers/new": "New trigger",
  "/watchers": "No watchers yet",
  "/watchers/new": "New watcher",
  "/channels": "No channels yet",
  "/channels/new": "New channel",
  "/deliveries": "No deliveries yet",
  "/access": "Actors",
  "/audit": "Audit",
  "/connections": "Connections",
};

test("on an empty database, each page says what to do, and nothing goes on loading", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath, width: 360, isCalm: true });
  for (const [path, heading] of Object.entries(first)) {
    await ui.go(path);
    await ui.page.getByRole("heading", { name: heading, exact: true }).first().waitFor();
    await ui.page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
    expect(await ui.page.getByRole("alert").allInnerTexts(), path).toEqual([]);
    await expectSound(ui);
  }
});

test("when the daemon stops, each page keeps what was known and says so, and goes on by itself", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Backup", command: { kind: "shell", script: "echo saved" } });
  await client.schedules.create({ task_id: task.id, kind: "cron", expression: "0 * * * *", time_zone: "UTC" });
  const { id: runId } = await client.tasks.run(task.id);
  await until("the run", async () => (await client.runs.get(runId)).ended_at !== null);
  const { trigger } = await client.triggers.create({ name: "CI", target_task_id: task.id });
  const { id: channel } = await client.notificationChannels.create({
    name: "On call",
    endpoint: "http://127.0.0.1:9/hook",
  });
  const { id: delivery } = await client.notificationChannels.test(channel);
  const watcher = await client.watchers.create({
    name: "Inbox",
    kind: "file",
    path: "/srv/inbox.csv",
    target_task_id: task.id,
  });
  const ada = await client.actors.create({ name: "Ada", capability: "operate" });
  /** What each page shows, and whether it names the task. */
  const pages: Readonly<Record<string, { readonly known: string; readonly namesTask?: true }>> = {
    "/": { known: "Backup", namesTask: true },
    "/tasks": { known: "Backup", namesTask: true },
    [`/tasks/${task.id}`]: { known: "Backup", namesTask: true },
    "/runs": { known: "Backup" },
    [`/runs/${runId}`]: { known: "Backup" },
    // also late in the evening, when nothing more runs today
    "/agenda?days=7": { known: "Backup", namesTask: true },
    "/triggers": { known: "CI" },
    [`/triggers/${trigger.id}`]: { known: "CI" },
    [`/watchers/${watcher.id}`]: { known: "Inbox" },
    "/channels": { known: "On call" },
    [`/channels/${channel}`]: { known: "On call" },
    "/deliveries": { known: "On call" },
    [`/deliveries/${delivery}`]: { known: "On call" },
    "/access": { known: "Ada" },
    [`/access/${ada.id}`]: { known: "Ada" },
    "/audit": { known: "tasks.create" },
  };
  await using ui = await openScreens({ screens, socket: daemon.socketPath, isDark: true, isCalm: true });
  const shown = (page: Page, text: string) => page.locator("main").getByText(text).filter({ visible: true });
  const offline = (page: Page) => page.getByText("The daemon does not answer. What you see is from");
  const errors: string[] = [];
  const open: { readonly path: string; readonly page: Page }[] = [];
  for (const [path, { known }] of Object.entries(pages)) {
    // a context each: the streams of more than five tabs would take all of a browser's connections to one server
    const page = await ui.context.browser()!.newPage({ colorScheme: "dark", reducedMotion: "reduce" });
    page.setDefaultTimeout(patienceMs);
    page.on("pageerror", (error) => errors.push(`${path}: ${String(error)}`));
    // a daemon that ends before its stream of events is open was never heard of
    await Promise.all([page.waitForResponse(/\/v1\/events/), page.goto(ui.server.newAddress())]);
    await page.locator("#places").waitFor({ state: "attached" });
    if (path !== "/") await go(page, path);
    await shown(page, known).first().waitFor();
    // what is not known when the daemon stops is not kept
    await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
    open.push({ path, page });
  }

  await daemon.stop();
  for (const { path, page } of open) {
    await offline(page).waitFor();
    const { known } = pages[path]!;
    expect(await shown(page, known).count(), `${path} keeps ${known}`).toBeGreaterThan(0);
    expect(await page.getByRole("status", { name: "Loading" }).count(), `${path} loads`).toBe(0);
    expect(await findSeriousFaults(page), path).toEqual([]);
  }

  await using again = await startDaemon({ dataDir: daemon.dataDir });
  await connectLocal({ socketPath: again.socketPath }).tasks.update(task.id, { name: "Renamed" });
  for (const { path, page } of open) {
    await offline(page).waitFor({ state: "detached" });
    const { known, namesTask } = pages[path]!;
    await shown(page, namesTask === true ? "Renamed" : known)
      .first()
      .waitFor();
    expect(await page.getByRole("alert").allInnerTexts(), path).toEqual([]);
  }
  expect(errors).toEqual([]);
});

test("when belfry ui itself has ended, the page says so, and nothing of the daemon", async () => {
  await using daemon = await startDaemon();
  const add = (name: string) => daemon.call("POST", "/v1/tasks", { name, command: { kind: "shell", script: "true" } });
  const { json: known } = await add("Backup");
  const { json: unknown } = await add("Report");
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(`/tasks/${known.id}`);
  await page.getByRole("heading", { name: "Backup", level: 1 }).waitFor();
  await ui.go("/");
  await page.getByRole("link", { name: "Backup" }).waitFor();
  await page.getByText("Daemon healthy").waitFor();
  await untilLive(ui, daemon);
  await ui.server[Symbol.asyncDispose]();
  await page.getByText(/^This page gets no answer from belfry ui\. What you see is from .* start it again/).waitFor();
  await page.getByText("No answer from belfry ui").first().waitFor();
  expect(await page.getByRole("link", { name: "Backup" }).count()).toBe(1);
  expect(await page.getByText(/daemon (does not answer|not answering)/i).count()).toBe(0);
  await ui.go(`/tasks/${unknown.id}`);
  await page.getByRole("alert").getByText("No answer from belfry ui").first().waitFor();
  expect(await page.getByText(/daemon (does not answer|not answering)/i).count()).toBe(0);
  // the timeline is kept for a minute after it was shown, which is less than a look for faults may take
  await ui.go("/");
  await page.getByRole("link", { name: "Backup" }).waitFor();

  // a page that was never opened says the same, and the tab is not lost to the browser's own error page
  await ui.go("/access");
  await page.getByText("The code of this page could not be read. If belfry ui has ended, start it again").waitFor();
  await page.getByRole("link", { name: "Now", exact: true }).click();
  await page.getByRole("link", { name: "Backup" }).waitFor();
  await ui.go(`/tasks/${unknown.id}`);
  await page.getByRole("alert").getByText("No answer from belfry ui").first().waitFor();
  await ui.picture("ended");
  expect(await ui.findSeriousFaults()).toEqual([]);
});

test("while the way to belfry ui is cut, nothing is said of the daemon, and the page goes on when it is back", async () => {
  await using daemon = await startDaemon();
  await daemon.call("POST", "/v1/tasks", { name: "Backup", command: { kind: "shell", script: "true" } });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const page = await ui.context.newPage();
  let isOpen = true;
  await page.route(/\/(api|shell)\//, (route) =>
    isOpen && !route.request().url().includes("/api/") ? route.continue() : route.abort("connectionrefused"),
  );
  await page.goto(ui.server.newAddress());
  await page.getByText("Not known: the daemon does not answer.").first().waitFor();
  isOpen = false;
  await page.getByText("Not known: belfry ui does not answer.").first().waitFor();
  await page.getByText("This page gets no answer from belfry ui. If it has ended, start it again").first().waitFor();
  // each part of the page learns it when it is read again
  await expect.poll(() => page.getByText(/daemon does not answer/i).count()).toBe(0);
  await page.unrouteAll();
  await page.getByText("Nothing is running.").waitFor();
  await page.getByText("Daemon healthy").waitFor();
});

test("an address that was used before says in whole sentences what to do", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const address = ui.server.newAddress();
  for (const says of ["", "This address has expired, or it was used before. Press Enter in the terminal"]) {
    const page = await ui.context.browser()!.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(address);
    if (says === "") await page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
    else {
      await page.getByRole("heading", { name: "This page has no session" }).waitFor();
      await page.getByText(says).waitFor();
      expect(await findSeriousFaults(page)).toEqual([]);
    }
  }
});

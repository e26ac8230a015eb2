import { tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { startReceiver } from "../../../../packages/server/tests/support/receiver.ts";
import { openScreens, useScreens } from "../support/open-screens.ts";
import { type Company, startCompany } from "./company.ts";
import { take, visit } from "./take.ts";

const screens = useScreens();
const lists = ["tasks", "runs", "agenda", "triggers", "watchers", "channels", "deliveries"] as const;

const filled = (of: Company): readonly (readonly [string, string])[] => [
  ["now-data", "/"],
  ["now-hour", "/?span=1h"],
  ["now-table", "/?table=true"],
  ...lists.map((name) => [`${name}-data`, `/${name}`] as const),
  ["task-data", `/tasks/${of.task}`],
  ["task-new", "/tasks/new"],
  ["task-edit", `/tasks/${of.task}/edit`],
  ["run-failed", `/runs/${of.failed}`],
  ["run-running", `/runs/${of.running}`],
  ["import-empty", "/import"],
  ["trigger-data", `/triggers/${of.trigger}`],
  ["trigger-new", "/triggers/new"],
  ["access-data", "/access"],
  ["actor-data", `/access/${of.actor}`],
  ["audit-data", "/audit"],
  ["connections-data", "/connections"],
];

test("pictures of a first use", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  await visit(ui, "/");
  await take(ui, "now-first");
  for (const name of lists) {
    await visit(ui, `/${name}`);
    await take(ui, `${name}-first`);
  }
  expect(ui.errors).toEqual([]);
});

test("pictures with data, of dialogs and of errors", async () => {
  await using inbox = await tempDir();
  await using receiver = await startReceiver();
  await using data = await tempDir("bf-");
  const hook = `http://127.0.0.1:${receiver.port}/hook`;
  await using daemon = await startCompany({ data: data.path, inbox: inbox.path, hook });
  const { company } = daemon;
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  for (const [name, path] of filled(company)) {
    await visit(ui, path);
    await take(ui, name);
  }
  await visit(ui, `/tasks/${company.task}`);
  await page.keyboard.press("r");
  await page.getByRole("dialog").waitFor();
  await take(ui, "task-dialog");
  await page.keyboard.press("Escape");
  await visit(ui, "/watchers");
  await page.getByRole("button", { name: "New watcher" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Incoming");
  await page.getByLabel("Path").fill("relative");
  await page.getByRole("combobox", { name: "Task to start" }).selectOption(company.task);
  await page.getByRole("button", { name: "Create the watcher" }).click();
  await page.getByRole("alert").filter({ hasText: "absolute" }).waitFor();
  await take(ui, "watchers-error");
  // the form asks before it is left
  page.once("dialog", (asked) => void asked.accept());
  await visit(ui, "/");
  await daemon.stop();
  await page.getByText("The daemon does not answer. What you see is from").waitFor();
  await take(ui, "now-offline");
  expect(ui.errors).toEqual([]);
});

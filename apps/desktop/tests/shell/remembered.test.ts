import { until } from "@belfry/test-kit";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { startRemoteDaemon } from "../../../../packages/server/tests/support/remote.ts";
import { enrol, pairLaptop } from "../support/enrol.ts";
import { go, openScreens, type Screens, useScreens } from "../support/open-screens.ts";

const screens = useScreens();
const dayMs = 86_400_000;

const fileOf = ({ home }: Screens): string => join(home, "config", "belfry", "screens.json");
const keptIn = (ui: Screens): Record<string, unknown> =>
  existsSync(fileOf(ui)) ? (JSON.parse(readFileSync(fileOf(ui), "utf8")) as Record<string, unknown>) : {};

test("a tab that closes writes none of its older choices back, and no visit of another profile", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const older = ui.page;
  const newer = await ui.context.newPage();
  await newer.goto(ui.server.newAddress());
  await newer.locator("#places").waitFor({ state: "attached" });
  await go(newer, "/connections");
  await newer.getByLabel("Colours").selectOption("dark");
  await until("the choice", () => keptIn(ui)["theme"] === "dark");
  writeFileSync(fileOf(ui), JSON.stringify({ ...keptIn(ui), "visit.build": 1 }), { mode: 0o600 });
  await older.close({ runBeforeUnload: true });
  await until("the visit", () => keptIn(ui)["visit.local"]);
  expect(keptIn(ui)).toMatchObject({ theme: "dark", "visit.build": 1 });
});

test("what failed since the last visit stays when the page is loaded again", async () => {
  await using daemon = await startDaemon();
  await daemon.call("POST", "/v1/tasks", { name: "Backup", command: { kind: "shell", script: "true" } });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const before = Date.now() - 3 * dayMs;
  mkdirSync(join(ui.home, "config", "belfry"), { recursive: true });
  writeFileSync(fileOf(ui), JSON.stringify({ "visit.local": before }), { mode: 0o600 });
  const open = async () => {
    const page = await ui.context.newPage();
    await page.goto(ui.server.newAddress());
    return page;
  };
  const page = await open();
  const heading = page.getByRole("heading", { name: /^Failed since your last visit/ });
  await heading.waitFor();
  await page.reload();
  await heading.waitFor();
  await until("the end of the visit", () => keptIn(ui)["visit.local"] !== before);
  const next = await open();
  await next.getByRole("heading", { name: /^Failed since yesterday/ }).waitFor();
  expect(await heading.count()).toBe(1);
});

test("the visits of a profile that is removed while it is shown are forgotten", async () => {
  await using local = await startDaemon();
  await using remote = await startRemoteDaemon();
  const pairing = await pairLaptop(remote, "observe");
  await using ui = await openScreens({ screens, socket: local.socketPath });
  const { page } = ui;
  await ui.go("/connections");
  await enrol(ui, { ...pairing, name: "other" });
  await page.getByText("observe, as Laptop").waitFor();
  await page.reload();
  await page.getByText("observe, as Laptop").waitFor();
  await until("the visit", () => keptIn(ui)["visit.other"]);
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("listitem").filter({ hasText: "This machine" }).getByText("Shown now").waitFor();
  await until("the end of the visits", () => !("visit.other" in keptIn(ui)));
  expect(Object.keys(keptIn(ui))).toEqual(["visit.local"]);
});

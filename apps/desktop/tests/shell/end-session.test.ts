import { expect, test } from "vitest";
import { startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { expectSound, openScreens, useScreens } from "../support/open-screens.ts";

const screens = useScreens();

test("a session is ended on the page Connections, with all of its tabs", async () => {
  await using daemon = await startDaemon();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  const other = await ui.context.newPage();
  await other.goto(ui.server.origin);
  await other.getByRole("heading", { name: "Now", level: 1 }).waitFor();
  await ui.go("/connections");
  await page.getByRole("region", { name: "Session" }).waitFor();
  await expectSound(ui);
  await page.getByRole("button", { name: "End the session" }).click();
  await page.getByRole("heading", { name: "The session has ended" }).waitFor();
  await page.getByText("Run belfry ui in a terminal: it opens a new address.").waitFor();
  await other.getByRole("heading", { name: "This page has no session" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "This page has no session" }).waitFor();
  expect(await page.getByText("Connections").count()).toBe(0);
});

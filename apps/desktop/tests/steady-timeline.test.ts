import { connectLocal } from "@belfry/client/local";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { expectSound, follow, openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const sleeping = { kind: "shell", script: "sleep 600" } as const;

test.each(["/", "/?table=true"])("at %s, no row of the timeline moves while somebody points at it", async (path) => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const add = (name: string) => client.tasks.create({ name, command: sleeping });
  const first = await add("Backup");
  await add("Mirror");
  await add("Report");
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go(path);
  const timeline = page.getByRole("region", { name: "Timeline" });
  const row = (name: string) => timeline.getByRole("link", { name, exact: true });
  const placeOf = async (name: string) => (await row(name).boundingBox())!.y;
  await row("Report").hover();
  const y = await placeOf("Report");

  // a new task waits, and a task that is gone keeps its place
  await add("Archive");
  await timeline.getByRole("button", { name: "Show 1 new" }).waitFor();
  await client.tasks.delete(first.id);
  await expect.poll(() => colorOf(page, `[data-task="${first.id}"]`)).toBe(await colorOfMuted(page));
  expect(await placeOf("Report")).toBe(y);
  expect(await row("Archive").count()).toBe(0);
  await expectSound(ui);

  await timeline.getByRole("button", { name: "Show 1 new" }).click();
  await row("Archive").waitFor();
  await row("Backup").waitFor({ state: "detached" });

  // another question is answered at once
  await row("Mirror").hover();
  await follow(page, `${path}${path.includes("?") ? "&" : "?"}text=archive`);
  await row("Mirror").waitFor({ state: "detached" });
  expect(await row("Archive").count()).toBe(1);

  // and once the pointer and the focus are elsewhere, everything is as it is now
  await page.mouse.move(1, 1);
  await page.getByRole("heading", { level: 1 }).focus();
  await add("Archive of mail");
  await row("Archive of mail").waitFor();
  expect(ui.errors).toEqual([]);
});

function colorOf(page: Page, selector: string): Promise<string> {
  return page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).color`);
}

/** The color of text that is muted. */
function colorOfMuted(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const probe = document.body.appendChild(Object.assign(document.createElement("p"), { className: "text-muted" }));
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  })()`);
}

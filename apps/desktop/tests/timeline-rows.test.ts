import { connectLocal } from "@belfry/client/local";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();

async function openWith(count: number) {
  await using opened = new AsyncDisposableStack();
  const daemon = opened.use(await startDaemon());
  const client = connectLocal({ socketPath: daemon.socketPath });
  for (let number = 100; number < 100 + count; number++)
    await client.tasks.create({ name: `task ${number}`, command: { kind: "exec", program: "/bin/true" } });
  const ui = opened.use(await openScreens({ screens, socket: daemon.socketPath }));
  // what the page reads when it is opened is read once more for each test
  await expect.poll(() => rowsOf(ui.page)).toBe(String(count));
  const limits: (string | null)[] = [];
  ui.page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/v1/timeline")) limits.push(searchParams.get("limit"));
  });
  const kept = opened.move();
  return { ui, page: ui.page, limits, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const rowsOf = (page: Page): Promise<string | null> =>
  page.getByRole("region", { name: "Timeline" }).locator("[data-rows]").getAttribute("data-rows");

/** A row is 32 pixels high. */
const rowsInWindow = (page: Page): number => Math.ceil(page.viewportSize()!.height / 32);

test("the first rows of many tasks are shown before the others are there, and nothing is said to be left out", async () => {
  await using opened = await openWith(60);
  const { ui, page, limits } = opened;
  const { promise: isAllowed, resolve: allow } = Promise.withResolvers<void>();
  await page.route(/\/v1\/timeline\?.*limit=200/, async (route) => {
    await isAllowed;
    await route.continue();
  });
  // the page that is left may ask once more before it goes
  page.once("framenavigated", () => void (limits.length = 0));
  await page.reload();
  await expect.poll(() => limits).toContain("200");
  const first = String(rowsInWindow(page));
  await expect.poll(() => rowsOf(page)).toBe(first);
  expect(limits[0]).toBe(first);
  expect(await page.getByText("are not shown").count()).toBe(0);
  const link = page.getByRole("link", { name: "task 100", exact: true });
  await link.hover();
  const y = (await link.boundingBox())!.y;

  // they come at once, also while somebody points at the rows, and move none of them
  allow();
  await expect.poll(() => rowsOf(page)).toBe("60");
  expect((await link.boundingBox())!.y).toBe(y);
  expect(await page.getByText("are not shown").count()).toBe(0);
  await page.keyboard.press("End");
  await page.getByRole("link", { name: "task 159", exact: true }).waitFor();
  expect(ui.errors).toEqual([]);
});

test("all rows of a few tasks come with one answer", async () => {
  await using opened = await openWith(3);
  const { ui, page, limits } = opened;
  await page.reload();
  await expect.poll(() => rowsOf(page)).toBe("3");
  const before = limits.length;
  await page.getByRole("button", { name: "1h", exact: true }).click();
  await expect.poll(() => limits.length).toBeGreaterThan(before);
  expect(new Set(limits)).toEqual(new Set([String(rowsInWindow(page))]));
  expect(ui.errors).toEqual([]);
});

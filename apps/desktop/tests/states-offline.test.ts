import { expect, test } from "vitest";
import { useDaemonProcess } from "../../../packages/server/tests/support/processes/daemon-process.ts";
import { allScreens, forEach, makeSamples } from "./support/all-screens.ts";
import { untilLive } from "./support/live.ts";
import { openScreens, type Screens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const daemons = useDaemonProcess();

test("on each screen, what was known stays when the daemon is killed, and it goes on when it is back", async () => {
  await using first = await daemons.start();
  const samples = await makeSamples(first);
  await using ui = await openScreens({ screens, socket: first.socketPath });
  const { page } = ui;
  await untilLive(ui, first);
  const offline = page.getByText("The daemon does not answer. What you see is from");
  let daemon = first;
  await using restarted = new AsyncDisposableStack();
  await forEach(allScreens, async ({ name, path, heading }) => {
    const title = page.getByRole("heading", { name: heading, exact: true, level: 1 });
    await ui.go(path(samples));
    await title.waitFor();
    await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
    const known = await page.getByRole("main").getByRole("row").count();
    await daemon.kill();
    await offline.waitFor();
    await ui.picture(`offline-${name}`);
    const whileAway = {
      title: await title.count(),
      rows: await page.getByRole("main").getByRole("row").count(),
      faults: await ui.findSeriousFaults(),
    };
    daemon = await daemons.start({ dataDir: first.dataDir });
    restarted.use(daemon);
    await offline.waitFor({ state: "detached" });
    expect(whileAway).toEqual({ title: 1, rows: known, faults: [] });
    expect(await title.count()).toBe(1);
  });
});

test("a tab that was hidden when the daemon ended says that it knows what was before", async () => {
  await using daemon = await daemons.start();
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
  await untilLive(ui, daemon);
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
  const paused = page.waitForEvent("requestfailed", (request) => request.url().includes("/v1/events"));
  await turn(ui, { isHidden: true });
  await paused;
  const pausedBy = Date.now();
  await daemon.kill();
  await turn(ui, { isHidden: false });
  const line = page.getByText("The daemon does not answer. What you see is from");
  await line.waitFor();
  const since = Date.parse((await line.getByRole("time").getAttribute("datetime"))!);
  expect(since).toBeLessThanOrEqual(pausedBy);
  expect(since).toBeGreaterThan(pausedBy - 60_000);
});

/** Hides the tab, or shows it again. A browser without a window takes each of its tabs for seen. */
async function turn({ page }: Screens, { isHidden }: { readonly isHidden: boolean }): Promise<void> {
  // as text, because it is of the page and not of Node
  await page.evaluate(
    `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
  );
}

import { join } from "node:path";
import { chromium, type CDPSession, type Page } from "playwright-core";
import type { Host } from "../apps/cli/src/host.ts";
import { Output } from "../apps/cli/src/output/output.ts";
import { serveUi } from "../apps/cli/src/ui/ui-server.ts";
import { root } from "./processes.ts";

/** A real browser on the real server of `belfry ui`, with the screens as they are shipped. */
export async function openBrowser(home: string, socket: string) {
  await using opened = new AsyncDisposableStack();
  const host = hostIn(home);
  const server = opened.use(
    await serveUi({
      host,
      out: new Output(host, false),
      location: { socket, dataDir: null, profile: null },
      initial: "local",
      timeoutMs: null,
      port: 0,
      screens: join(root, "apps/desktop/dist"),
    }),
  );
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"],
  });
  opened.defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  page.setDefaultTimeout(60_000);
  await page.goto(server.newAddress());
  await page.locator("#places").waitFor({ state: "attached" });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const kept = opened.move();
  return { page, devtools, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/**
 * Follows an address within the screens. Returns how long it took until the page has this heading, shows neither shapes of
 * what is still to come nor a problem, is painted, and its thread is free. By the page's own clock.
 */
export async function timeVisit(page: Page, path: string, heading: string): Promise<number> {
  // as text, because it is of the page and not of Node
  const took: unknown = await page.evaluate(`(async () => {
    const start = performance.now();
    location.hash = ${JSON.stringify(path)};
    const isThere = () =>
      location.hash === ${JSON.stringify(`#${path}`)} &&
      [...document.querySelectorAll("h1")].some((title) => title.textContent === ${JSON.stringify(heading)}) &&
      document.querySelector("main [role=status][aria-label=Loading], main [role=alert]") === null;
    while (!isThere()) {
      if (performance.now() - start > 60_000) return null;
      await new Promise((done) => requestAnimationFrame(done));
    }
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - start;
  })()`);
  if (typeof took !== "number") {
    const text = await page.locator("body").innerText();
    throw new Error(`${path} does not show ${heading}, but ${page.url().replace(/.*#/, "#")}: ${text}`);
  }
  return took;
}

/** Loads the screens again, so that nothing is known and no code of another page is loaded. */
export async function reload(page: Page): Promise<void> {
  await timeVisit(page, "/connections", "Connections");
  await page.reload();
  await page.getByRole("heading", { name: "Connections", level: 1 }).waitFor();
}

/** Returns the seconds that the page has spent in scripts. */
export async function scriptSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "ScriptDuration")!.value;
}

/** Returns the bytes that scripts hold, without garbage. */
export async function heapBytes(devtools: CDPSession): Promise<number> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSHeapUsedSize")!.value;
}

function hostIn(home: string): Host {
  const sink = { write: () => true };
  return {
    ownsProcess: false,
    stdin: { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: "" }) }) },
    stdout: sink,
    stderr: sink,
    environment: { HOME: home, XDG_CONFIG_HOME: join(home, "config") },
    keychain: null,
    now: Date.now,
    onInterrupt: () => ({ [Symbol.dispose]: () => {} }),
    exit: () => {},
  };
}

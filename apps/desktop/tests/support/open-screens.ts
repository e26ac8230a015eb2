import { patienceMs, tempDir } from "@belfry/test-kit";
import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import type { Host } from "../../../cli/src/host.ts";
import { Output } from "../../../cli/src/output/output.ts";
import { serveUi } from "../../../cli/src/ui/ui-server.ts";

const desktop = join(import.meta.dirname, "../..");
const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Where pictures are kept, if they are wanted. */
const pictures = process.env["BELFRY_PICTURES"];

/** Builds the screens for a test file. Returns the folder of the build. Call it at the top of the file. */
export function useScreens(): string {
  // not in dist: a test that builds the packages empties it
  const folder = join(tmpdir(), `belfry-screens-${process.pid}`);
  beforeAll(async () => {
    const vite = join(desktop, "node_modules/vite/bin/vite.js");
    const options = ["--outDir", folder, "--emptyOutDir", "--logLevel", "error"];
    await promisify(execFile)(process.execPath, [vite, "build", ...options], {
      cwd: desktop,
      // as it is shipped: the tests' own value would build React for development
      env: { ...process.env, NODE_ENV: "production" },
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface ScreensOptions {
  /** The folder of the build. */
  readonly screens: string;
  readonly socket: string;
  readonly width?: number;
  readonly height?: number;
  readonly isDark?: boolean;
  readonly isCalm?: boolean;
  /** The profile to begin with. Default: the daemon of `socket`. */
  readonly initial?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A real browser on the real server of `belfry ui`: `await using screens = await openScreens({ screens, socket })`. */
export async function openScreens(options: ScreensOptions) {
  const { screens, socket, width = 1_280, height = 900, isDark = false, isCalm = false } = options;
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await tempDir("bs-"));
  const host = hostIn(home.path, options.environment ?? {});
  const server = opened.use(
    await serveUi({
      host,
      out: new Output(host, false),
      location: { socket, dataDir: null, profile: null },
      initial: options.initial ?? "local",
      timeoutMs: null,
      port: 0,
      screens,
    }),
  );
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    timeout: patienceMs,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"],
  });
  opened.defer(() => browser.close());
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: isDark ? "dark" : "light",
    reducedMotion: isCalm ? "reduce" : "no-preference",
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // the browser reports each answer with an error itself, and the page shows it
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      errors.push(message.text());
  });
  await page.goto(server.newAddress());
  await page.locator("#places").waitFor({ state: "attached" });
  const kept = opened.move();
  return {
    page,
    context,
    server,
    home: home.path,
    /** Errors of scripts, and refusals by the page's policy. */
    errors: errors as readonly string[],
    go: (path: string) => go(page, path),
    goToTask: (id: string) => goToTask(page, id),
    findSeriousFaults: () => findSeriousFaults(page),
    picture: async (name: string): Promise<void> => {
      if (pictures === undefined) return;
      await mkdir(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${name}.png`) });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export type Screens = Awaited<ReturnType<typeof openScreens>>;

/** Opens an address within the screens. The page that was there has gone when it returns, with buttons of the same names. */
export async function go(page: Page, path: string): Promise<void> {
  const former = await page.locator("h1").first().elementHandle();
  const isSamePage = pathIn(new URL(page.url()).hash) === pathIn(`#${path}`);
  await follow(page, path);
  if (!isSamePage) await former.waitForElementState("hidden");
}

/** Opens the page of a task, and waits until all of it has been read: what is read later would move it under a click. */
async function goToTask(page: Page, id: string): Promise<void> {
  await go(page, `/tasks/${id}`);
  const main = page.getByRole("main");
  // the sections are there, and being read, once the task is known
  await main.getByRole("heading", { name: "Newest runs", exact: true }).waitFor();
  await expect.poll(() => main.getByRole("status", { name: "Loading" }).count()).toBe(0);
}

const pathIn = (hash: string): string => new URL(hash.slice(1), "http://screens").pathname;

/** Changes the address and does not wait, for a page that stays or that is not there in time. */
export async function follow(page: Page, path: string): Promise<void> {
  // as text, because it is of the page and not of Node
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
}

/** The serious faults that axe finds on the page as it is. */
export async function findSeriousFaults(page: Page): Promise<readonly string[]> {
  // an isolated world, because the page's policy forbids scripts from elsewhere
  const client = await page.context().newCDPSession(page);
  const { frameTree } = await client.send("Page.getFrameTree");
  const { executionContextId } = await client.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const source = await import("node:fs/promises").then(({ readFile }) => readFile(axePath, "utf8"));
  await client.send("Runtime.evaluate", { expression: source, contextId: executionContextId });
  const { result, exceptionDetails } = await client.send("Runtime.evaluate", {
    expression:
      "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any.map(({ message }) => message).join()}`).join(' | ')}`)))",
    awaitPromise: true,
    contextId: executionContextId,
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  await client.detach();
  return JSON.parse(result.value as string) as readonly string[];
}

/** A page without faults of accessibility and without errors of scripts. */
export async function expectSound(screens: Screens): Promise<void> {
  expect(await screens.findSeriousFaults()).toEqual([]);
  expect(screens.errors).toEqual([]);
}

function hostIn(home: string, environment: Readonly<Record<string, string>>): Host {
  const sink = { write: () => true };
  return {
    ownsProcess: false,
    stdin: { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: "" }) }) },
    stdout: sink,
    stderr: sink,
    environment: { HOME: home, XDG_CONFIG_HOME: join(home, "config"), ...environment },
    keychain: null,
    now: Date.now,
    onInterrupt: () => ({ [Symbol.dispose]: () => {} }),
    exit: () => {},
  };
}

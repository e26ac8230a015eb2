import { patienceMs, until } from "@belfry/test-kit";
import { build } from "esbuild";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Harness, startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { startUi } from "./start-ui.ts";

const repository = join(import.meta.dirname, "../../../..");

/** What the screens do first, without what they show. */
const program = `
  import { createClient } from "@belfry/client";
  import { openBrowserShell } from "./apps/desktop/src/shell/browser-shell.ts";
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
  openBrowserShell().then(
    (shell) => {
      window.shell = shell;
      window.client = createClient({ transport: shell.daemon("local"), retries: 0 });
      document.body.dataset.state = "open";
    },
    (error) => (document.body.dataset.state = error.code),
  );
`;

let browser: Browser;
let script = "";
let daemon: Harness;
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: repository, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    conditions: ["@belfry/source"],
    logLevel: "silent",
  });
  script = outputFiles[0]!.text;
  daemon = await startDaemon();
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    timeout: patienceMs,
    args: ["--no-sandbox", "--disable-background-networking", "--host-resolver-rules=MAP rebound.test 127.0.0.1"],
  });
});
afterAll(async () => {
  await browser.close();
  await daemon[Symbol.asyncDispose]();
});

async function openUi() {
  // its time stands still, so that no token expires while a page is slow
  const ui = await startUi({ socket: daemon.socketPath, script, now: () => 0 });
  const context = await browser.newContext();
  context.setDefaultTimeout(patienceMs);
  return {
    ...ui,
    context,
    /** A tab that was opened as the command opens it: on a file that leads to the address. */
    open: async (): Promise<Page> => {
      const file = join(ui.home, "open.html");
      await writeFile(file, `<meta http-equiv="refresh" content="0; url=${ui.newAddress()}">`);
      const page = await context.newPage();
      await page.goto(`file://${file}`);
      await expectState(page, "open");
      return page;
    },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await ui[Symbol.asyncDispose]();
    },
  };
}

async function expectState(page: Page, state: string): Promise<void> {
  // the body is empty, so it is never visible
  const body = await page.waitForSelector(`body[data-state=${state}]`, { state: "attached" });
  expect(body).toBeDefined();
}

/** Runs a program in a page. Its text is not checked, because it names what only the page has. */
const inPage = (page: Page, body: string): Promise<any> => page.evaluate(`(async () => { ${body} })()`);

async function taskNames(): Promise<readonly string[]> {
  const { json } = await daemon.call("GET", "/v1/tasks");
  return (json.tasks as { name: string }[]).map(({ name }) => name);
}

describe("a tab", () => {
  test("opens by the file, calls the daemon, reads its events, and shows its token nowhere", async () => {
    await using ui = await openUi();
    const page = await ui.open();
    expect(page.url()).toBe(`${ui.origin}/`);
    const seen = await inPage(
      page,
      `const task = await client.tasks.create({ name: "From a tab", command: { kind: "shell", script: "echo hello" } });
       const events = client.events.subscribe({ kinds: ["run"] });
       await events.next();
       const run = await client.tasks.runAndWait(task.id);
       const { value } = await events.next();
       await events.return();
       return [run.outcome, value.id === run.id, await client.runs.outputText(run.id), document.cookie, history.length];`,
    );
    expect(seen.slice(0, 4)).toEqual(["success", true, "hello\n", ""]);
    expect(await inPage(page, "return violations")).toEqual([]);
    expect(await inPage(page, `return getComputedStyle(document.querySelector("main")).color`)).toBe("rgb(1, 2, 3)");
  });

  test("keeps its session when it is loaded again, and a tab that it opens gets it too", async () => {
    await using ui = await openUi();
    const page = await ui.open();
    await page.reload();
    await expectState(page, "open");
    const second = await ui.context.newPage();
    await second.goto(`${ui.origin}/#/tasks`);
    await expectState(second, "open");
    await page.close();
    await second.close();
    const third = await ui.context.newPage();
    await third.goto(ui.origin);
    await expectState(third, "session_ended");
  });

  test("runs no script and applies no style that is not the server's", async () => {
    await using ui = await openUi();
    const page = await ui.open();
    const before = await inPage(page, "return document.body.dataset.state");
    await inPage(
      page,
      `const main = document.querySelector("main");
       main.innerHTML = '<img src="/nope.png" onerror="document.body.dataset.state = 1"><svg onload="document.body.dataset.state = 2"></svg>' +
         '<a href="javascript:document.body.dataset.state = 3">x</a><form action="https://evil.example/"><button>y</button></form>';
       const script = document.createElement("script");
       script.textContent = "document.body.dataset.state = 4";
       document.body.append(script);
       const style = document.createElement("style");
       style.textContent = "main { color: red }";
       document.head.append(style);
       setTimeout(() => setTimeout("document.body.dataset.state = 5", 0), 0);
       main.querySelector("a").click();
       main.querySelector("button").click();`,
    );
    await until("the violations", async () => (await inPage(page, "return violations.length")) >= 7);
    expect(await inPage(page, "return document.body.dataset.state")).toBe(before);
    expect(page.url()).toBe(`${ui.origin}/`);
    const color = `return getComputedStyle(document.querySelector("main")).color`;
    expect(await inPage(page, color)).toBe("rgb(1, 2, 3)");
    // what libraries of components do
    await inPage(
      page,
      `const style = document.createElement("style");
       style.nonce = document.querySelector("meta[property=csp-nonce]").nonce;
       style.textContent = "main { color: rgb(4, 5, 6) }";
       document.head.append(style);
       document.querySelector("main").style.top = "1px";`,
    );
    expect(await inPage(page, color)).toBe("rgb(4, 5, 6)");
    for (const body of [`await fetch("https://evil.example/")`, `await fetch("http://127.0.0.1:1/")`])
      await expect(inPage(page, body)).rejects.toThrow(/Content Security Policy|Failed to fetch/i);
  });

  test("that is opened on an answer of the API shows an error, and nothing of the daemon", async () => {
    await using ui = await openUi();
    await ui.open();
    const page = await ui.context.newPage();
    const answer = await page.goto(`${ui.origin}/api/v1/tasks`);
    expect([answer!.status(), answer!.headers()["content-type"]]).toEqual([403, "application/json"]);
  });
});

/** A page of somebody else, on another port of this machine or under another name. */
async function evil(html = "") {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>Evil</title>${html}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.each([
  ["on another port of this machine", "127.0.0.1"],
  ["on another site", "rebound.test"],
])("a page %s", (_where, host) => {
  test("reads nothing, changes nothing, and ends no session, even if it knows one", async () => {
    await using ui = await openUi();
    await using elsewhere = await evil();
    const mine = await ui.open();
    const session = await inPage(mine, `return sessionStorage.getItem("belfry-session")`);
    const token = ui.newToken();
    const page = await ui.context.newPage();
    await page.goto(`http://${host}:${elsewhere.port}/`);
    const attempts: string[] = await inPage(
      page,
      `const headers = { "belfry-session": ${JSON.stringify(session)}, "belfry-profile": "local" };
       const body = JSON.stringify({ name: "Evil" });
       const tries = {
         read: () => fetch("${ui.origin}/api/v1/tasks", { headers }),
         page: () => fetch("${ui.origin}/"),
         change: () => fetch("${ui.origin}/api/v1/tasks", { method: "POST", headers: { ...headers, "content-type": "application/json" }, body }),
         simple: () => fetch("${ui.origin}/api/v1/tasks", { method: "POST", headers: { "content-type": "text/plain" }, body }),
         token: () => fetch("${ui.origin}/shell/session", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token: ${JSON.stringify(token)} }) }),
         close: () => fetch("${ui.origin}/shell/session", { method: "DELETE", headers }),
       };
       const results = [];
       for (const [name, send] of Object.entries(tries)) results.push(name + " " + await send().then((answer) => answer.type, () => "refused"));
       for (const mode of ["no-cors"]) for (const path of ["/", "/api/v1/tasks", "/shell/session", "/assets/index-1a2b.js"]) for (const method of ["GET", "POST"])
         await fetch("${ui.origin}" + path, { mode, method, ...(method === "POST" ? { body } : {}) }).catch(() => {});
       return results;`,
    );
    expect(attempts).toEqual(["read", "page", "change", "simple", "token", "close"].map((name) => `${name} refused`));
    expect(await taskNames()).not.toContain("Evil");
    // neither the session nor the unused token was touched
    expect((await ui.send({ path: "/shell/about", headers: { "belfry-session": session } })).status).toBe(200);
    expect((await ui.exchange(token)).status).toBe(201);
  });

  test("loads none of its files, shows it in no frame, and sends it no form", async () => {
    await using ui = await openUi();
    await ui.open();
    await using elsewhere = await evil(
      `<iframe name="f" src="${ui.origin}/"></iframe><object data="${ui.origin}/"></object><embed src="${ui.origin}/">
       <script src="${ui.origin}/assets/index-1a2b.js" onerror="document.title += ' script'"></script>
       <link rel="stylesheet" href="${ui.origin}/assets/index-1a2b.css" onerror="document.title += ' style'">
       <img src="${ui.origin}/favicon.svg" onerror="document.title += ' image'">
       <form target="f" method="post" action="${ui.origin}/api/v1/tasks" enctype="text/plain"><input name='{"name":"Evil","x":"' value='"}'></form>`,
    );
    const page = await ui.context.newPage();
    const seen: string[] = [];
    page.on("response", (response) => {
      if (response.url().startsWith(ui.origin)) seen.push(`${response.status()} ${new URL(response.url()).pathname}`);
    });
    await page.goto(`http://${host}:${elsewhere.port}/`);
    const failures = async () => (await page.title()).split(" ").toSorted();
    await until("the failures", async () => (await failures()).length === 4);
    await inPage(page, `document.querySelector("form").submit()`);
    await until("the form", () => seen.some((line) => line.endsWith("/api/v1/tasks")));
    expect(seen.filter((line) => line.startsWith("2"))).toEqual([]);
    expect(page.frames().filter((frame) => frame.url().startsWith(ui.origin) && frame.name() === "shown")).toEqual([]);
    expect(await taskNames()).not.toContain("Evil");
    expect(await failures()).toEqual(["Evil", "image", "script", "style"]);
  });

  test("that opens it in a window has no hold on it", async () => {
    await using ui = await openUi();
    await ui.open();
    await using elsewhere = await evil();
    const page = await ui.context.newPage();
    await page.goto(`http://${host}:${elsewhere.port}/`);
    const [opened] = await Promise.all([
      ui.context.waitForEvent("page"),
      inPage(page, `window.opened = window.open("${ui.origin}/", "_blank"); return 0`),
    ]);
    await expectState(opened, "open");
    expect(await inPage(opened, "return opener === null")).toBe(true);
    expect(await inPage(page, "return opened.closed")).toBe(true);
  });
});

test("a name that leads to this machine shows no page, and its page cannot call the API", async () => {
  await using ui = await openUi();
  await ui.open();
  const page = await ui.context.newPage();
  const answer = await page.goto(`http://rebound.test:${ui.port}/`);
  expect(answer!.status()).toBe(421);
  const called = await inPage(
    page,
    `const answer = await fetch("/shell/session", { method: "POST", headers: { "content-type": "application/json" }, body: '{"token":"${ui.newToken()}"}' }).catch(() => null);
     return answer === null ? 0 : answer.status;`,
  );
  expect([0, 421]).toContain(called);
});

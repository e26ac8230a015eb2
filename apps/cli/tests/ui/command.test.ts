import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { freePlace } from "../../../../packages/server/tests/support/ports.ts";
import type { Host } from "../../src/host.ts";
import { main } from "../../src/main.ts";
import { callBelfry } from "../call.ts";
import { sendTo, tokenOf, writeScreens } from "./start-ui.ts";

const cli = join(import.meta.dirname, "../..");

/** The bundle of the command with screens, as it is installed: only its screens matter here. */
async function installation() {
  const dir = await tempDir("bi-");
  const screens = join(dir.path, "screens");
  await writeScreens(screens);
  return { ...dir, path: dir.path, screens };
}

/** Starts the command as a process of its own, from its source. */
function start(words: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["--conditions=@belfry/source", join(cli, "src/bin.ts"), "ui", ...words], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (written[name] += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    child,
    written,
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function world() {
  const home = await tempDir("bh-");
  const installed = await installation();
  return {
    home: home.path,
    environment: {
      HOME: home.path,
      XDG_CONFIG_HOME: join(home.path, "config"),
      XDG_RUNTIME_DIR: home.path,
      BELFRY_SCREENS: installed.screens,
    },
    [Symbol.asyncDispose]: async () => {
      await installed[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const addressIn = (file: string): string => /url=(http:\S+?)"/.exec(readFileSync(file, "utf8"))![1]!;
const wholeLine = (text: string): string | null => (text.includes("\n") ? text : null);
const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** What every user of the machine, or at least the same user, can read of all processes. */
function visibleInProcesses(): string {
  const texts: string[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    for (const name of ["cmdline", "environ"])
      try {
        texts.push(readFileSync(`/proc/${pid}/${name}`, "latin1"));
      } catch {
        // it has ended, or belongs to somebody else
      }
  return texts.join("\n");
}

test("the browser is opened on a private file, and no process's arguments or environment have the token", async () => {
  await using here = await world();
  const opened = join(here.home, "opened");
  const browser = join(here.home, "browser");
  await writeFile(
    browser,
    `#!/bin/sh\necho $$ > ${opened}.pid\nprintf '%s' "$*" > ${opened}.part\nmv ${opened}.part ${opened}\nsleep 600\nexit 0\n`,
  );
  await chmod(browser, 0o755);
  await using ui = start([], { ...here.environment, BROWSER: browser });
  const url = await until("the browser", () => (existsSync(opened) ? readFileSync(opened, "utf8") : null));
  const file = new URL(url);
  expect(file.protocol).toBe("file:");
  expect([modeOf(file.pathname), modeOf(dirname(file.pathname))]).toEqual([0o600, 0o700]);
  const token = tokenOf(addressIn(file.pathname));
  expect(token).toMatch(/^[\w-]{43}$/);
  const visible = visibleInProcesses();
  // the browser is there, with the path of the file
  expect(visible).toContain(file.pathname);
  expect(visible).not.toContain(token);

  await until("the message", () => ui.written.stdout.includes("Opened the screens at http://127.0.0.1:"));
  ui.child.kill("SIGTERM");
  expect(await ui.ended).toBe(0);
  expect(existsSync(dirname(file.pathname))).toBe(false);
  expect(ui.written.stdout + ui.written.stderr).not.toContain(token);
  // the browser is not the command's, and outlives it
  process.kill(-Number(readFileSync(`${opened}.pid`, "utf8")), "SIGKILL");
});

test("without a terminal, it prints the path of the file, and ends with TERM", async () => {
  await using here = await world();
  await using stack = new AsyncDisposableStack();
  const open = async () => {
    const { port } = await freePlace();
    const ui = stack.use(start(["--no-open", "--json", "--port", String(port)], here.environment));
    const line = await until("the file", () => wholeLine(ui.written.stdout));
    const { url, file } = JSON.parse(line) as { url: string; file: string };
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const address = addressIn(file);
    expect(address.startsWith(`${url}/#token=`)).toBe(true);
    const body = JSON.stringify({ token: tokenOf(address) });
    const headers = { "content-type": "application/json" };
    const { status, json } = await sendTo(port, { method: "POST", path: "/shell/session", headers, body });
    return { ui, port, status, session: json.session as string };
  };
  const openInTime = async () => {
    for (;;) {
      const startedMs = performance.now();
      const opened = await open();
      // the minute of an address may have passed
      if (opened.status === 201 || performance.now() - startedMs < 60_000) return opened;
    }
  };
  const { ui, port, status, session } = await openInTime();
  expect(status).toBe(201);
  const about = { path: "/shell/about", headers: { "belfry-session": session } };
  expect((await sendTo(port, about)).json).toMatchObject({ selected: "local" });
  // an open stream of a page does not keep it
  ui.child.kill("SIGTERM");
  expect(await ui.ended).toBe(0);
  await expect(sendTo(port, about)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("without a browser, it says so and prints the file", async () => {
  await using here = await world();
  await using ui = start([], { ...here.environment, BROWSER: "/nowhere/browser" });
  await until("the file", () => ui.written.stdout.includes(".html"));
  expect(ui.written.stderr).toContain("No browser could be opened here");
});

test("a port that is taken, and an installation without screens, are said in one sentence", async () => {
  await using here = await world();
  await using ui = start(["--no-open", "--json"], here.environment);
  const line = await until("the file", () => wholeLine(ui.written.stdout));
  const { port } = new URL((JSON.parse(line) as { url: string }).url);
  const taken = await callBelfry(["ui", "--port", port], { environment: here.environment });
  expect([taken.code, taken.stderr]).toEqual([
    2,
    `belfry: port ${port} is already in use. Choose another with --port\n`,
  ]);
  const none = await callBelfry(["ui"], { environment: { ...here.environment, BELFRY_SCREENS: here.home } });
  expect([none.code, none.stderr.split("\n")[0]]).toEqual([1, "belfry: this installation of belfry has no screens"]);
});

test("at a terminal, Enter makes a new address, and the former ones keep their minute", async () => {
  await using here = await world();
  const written: string[] = [];
  const keys = Promise.withResolvers<string>();
  const interrupts: (() => void)[] = [];
  async function* typed(): AsyncGenerator<string> {
    yield await keys.promise;
    await new Promise(() => {});
  }
  const sink = { write: (text: string | Uint8Array) => void written.push(String(text)), isTTY: true };
  const exited: number[] = [];
  const host: Host = {
    ownsProcess: false,
    stdin: Object.assign(typed(), { isTTY: true }),
    stdout: sink,
    stderr: sink,
    environment: here.environment,
    keychain: null,
    // the minute of an address does not pass
    now: () => 0,
    onInterrupt: (work) => {
      interrupts.push(work);
      return { [Symbol.dispose]: () => {} };
    },
    exit: (code) => void exited.push(code),
  };
  const addresses = () => [...written.join("").matchAll(/http:\/\/\S+/g)].map(([address]) => address);
  const ended = main(["ui", "--no-open"], host);
  await until("an address", () => addresses().length === 1);
  keys.resolve("\n");
  const [first, second] = await until("another address", () => (addresses().length === 2 ? addresses() : null));
  expect(tokenOf(first!)).not.toBe(tokenOf(second!));
  const port = Number(new URL(first!).port);
  for (const address of [first!, second!]) {
    const body = JSON.stringify({ token: tokenOf(address) });
    const headers = { "content-type": "application/json" };
    expect((await sendTo(port, { method: "POST", path: "/shell/session", headers, body })).status).toBe(201);
  }
  // no file was written: the address is on the terminal
  expect(
    readdirSync(here.home).flatMap((name) => (name.startsWith("belfry-ui-") ? readdirSync(join(here.home, name)) : [])),
  ).toEqual([]);
  interrupts[0]!();
  expect([await ended, exited]).toEqual([0, [0]]);
});

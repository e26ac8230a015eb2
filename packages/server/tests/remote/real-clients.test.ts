import { patienceMs, tempDir } from "@belfry/test-kit";
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { describe, expect, test } from "vitest";
import { makeTask } from "../support/api.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { configureRemote, enrol, raisedLimits, untilListening } from "../support/remote-process.ts";

const daemons = useDaemonProcess();
const clients = fileURLToPath(new URL("clients/", import.meta.url));
const searched = `${process.env["PATH"]}:/usr/local/go/bin:/usr/lib/go/bin`;

/** A daemon with the remote API, one task and the token of an enrolled client. */
async function startRemoteDaemon() {
  const dir = await tempDir("br-");
  const port = await configureRemote(dir.path, raisedLimits);
  const daemon = await daemons.start({ dataDir: dir.path });
  await untilListening(daemon);
  const task = await makeTask(daemon);
  const { access_token } = await enrol(daemon, port, "observe");
  return {
    daemon,
    taskId: task.id as string,
    token: access_token as string,
    root: join(dir.path, "remote", "root.pem"),
    origin: `https://localhost:${port}`,
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Runs a program with this standard input, so that the token is in no process's arguments; returns its output. */
async function run(program: string, args: readonly string[], input: string, env: Record<string, string> = {}) {
  const child = spawn(program, args, {
    env: { PATH: searched, HOME: process.env["HOME"] ?? "/tmp", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
}

const has = (program: string): boolean =>
  searched.split(":").some((folder) => folder !== "" && existsSync(join(folder, program)));

describe("a client that trusts the root", () => {
  test.skipIf(!has("curl"))("curl reads the tasks", async () => {
    await using app = await startRemoteDaemon();
    const { stdout, stderr } = await run(
      "curl",
      ["--silent", "--show-error", "--cacert", app.root, "--header", "@-", `${app.origin}/api/v1/tasks?limit=100`],
      `Authorization: Bearer ${app.token}\n`,
    );
    expect(JSON.parse(stdout || stderr)).toMatchObject({ tasks: [{ id: app.taskId }] });
  });

  const programs: readonly [
    string,
    string,
    (origin: string, root: string) => readonly string[],
    (root: string) => object,
  ][] = [
    ["Python", "python3", (origin, root) => [join(clients, "client.py"), origin, root], () => ({})],
    ["Go", "go", (origin, root) => ["run", join(clients, "client.go"), origin, root], () => ({ GOFLAGS: "-mod=mod" })],
    [
      "Node's own fetch",
      process.execPath,
      (origin) => [join(clients, "fetch.ts"), origin],
      (root) => ({ NODE_EXTRA_CA_CERTS: root }),
    ],
  ];
  // Go compiles its own library first, which takes minutes on a busy machine
  test.for(programs)("%s reads the tasks", { timeout: 900_000 }, async ([, program, argsOf, envOf], { skip }) => {
    if (!program.startsWith("/") && !has(program)) skip(`${program} is not installed`);
    await using app = await startRemoteDaemon();
    const { stdout, stderr } = await run(program, argsOf(app.origin, app.root), app.token, {
      ...(envOf(app.root) as Record<string, string>),
    });
    expect(JSON.parse(stdout || JSON.stringify(stderr))).toMatchObject({
      status: 200,
      body: { tasks: [{ id: app.taskId }] },
    });
  });

  test.skipIf(!has("curl"))("no other root is trusted, and no older version of TLS accepted", async () => {
    await using app = await startRemoteDaemon();
    const address = `${app.origin}/api/v1/health`;
    const curl = (...args: string[]) => run("curl", ["--silent", "--show-error", ...args, address], "");
    expect((await curl("--cacert", app.root)).stdout).toBe('{"status":"ok"}');
    expect((await curl()).stderr).toMatch(/certificate/);
    expect((await curl("--cacert", app.root, "--tls-max", "1.2")).stderr).toMatch(/alert|protocol|version/);
  });
});

const hasChromium = existsSync("/usr/bin/chromium") && existsSync("/usr/bin/certutil");

test.skipIf(!hasChromium)(
  "a browser is refused, by a typed address and by scripts of its own and other origins, whatever token they send",
  async () => {
    await using app = await startRemoteDaemon();
    await using home = await tempDir("bh-");
    // Chromium trusts the root, so the daemon alone refuses it
    const certificates = join(home.path, ".pki", "nssdb");
    await mkdir(certificates, { recursive: true });
    execFileSync("certutil", ["-d", `sql:${certificates}`, "-N", "--empty-password"]);
    execFileSync("certutil", ["-d", `sql:${certificates}`, "-A", "-t", "C,,", "-n", "belfry", "-i", app.root]);
    const browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      timeout: patienceMs,
      args: ["--no-sandbox", "--disable-background-networking"],
      env: { ...process.env, HOME: home.path },
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
    try {
      const typed = await page.goto(`${app.origin}/api/v1/health`);
      expect(typed?.status()).toBe(403);
      expect(await typed?.json()).toMatchObject({ error: { code: "origin_rejected" } });

      const fromItself = await page.evaluate(
        async ([path, token]) => {
          const answer = await fetch(path!, { headers: { authorization: `Bearer ${token}` } });
          return { status: answer.status, body: await answer.json() };
        },
        ["/api/v1/tasks", app.token],
      );
      expect(fromItself).toMatchObject({ status: 403, body: { error: { code: "origin_rejected" } } });

      await using elsewhere = createServer((_, response) => void response.end("<title>another site</title>"));
      await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
      await page.goto(`http://127.0.0.1:${(elsewhere.address() as { port: number }).port}/`);
      const statuses: number[] = [];
      page.on("response", (response) => void statuses.push(response.status()));
      await page.evaluate(
        async (address) => void (await fetch(address, { mode: "no-cors" })),
        `${app.origin}/api/v1/health`,
      );
      expect(statuses).toEqual([403]);
    } finally {
      await browser.close();
    }
  },
);

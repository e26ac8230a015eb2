import { tempDir, until } from "@belfry/test-kit";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callSocket, endRunners, type Json } from "../../../packages/server/tests/support/harness.ts";
import { inMountNamespace, makeUsers } from "../../../packages/server/tests/support/processes/other-users.ts";

export interface MachineOptions {
  /** The words that start the command. */
  readonly belfry: readonly string[];
  /** The files of /etc/cron.d, by name. */
  readonly crontabs: Readonly<Record<string, string | Buffer>>;
  /** More users, each with a group of its own. */
  readonly users?: readonly string[];
}

/**
 * A machine with users and system crontabs of its own, in a mount namespace: neither cron nor Belfry there sees the jobs of
 * this machine, and both see the same.
 */
export async function openMachine({ belfry, crontabs, users = [] }: MachineOptions) {
  const dir = await tempDir("bm-");
  const data = await tempDir("bf-");
  chmodSync(dir.path, 0o755);
  const { commands, home } = makeUsers(dir.path);
  users.forEach((name, index) => {
    const id = 62_000 + index;
    appendFileSync(join(dir.path, "passwd"), `${name}:*:${id}:${id}::/nonexistent:/usr/sbin/nologin\n`);
    appendFileSync(join(dir.path, "group"), `${name}:x:${id}:\n`);
  });
  const cronD = join(dir.path, "cron.d");
  mkdirSync(cronD, { mode: 0o755 });
  for (const [name, text] of Object.entries(crontabs)) writeFileSync(join(cronD, name), text, { mode: 0o644 });
  writeFileSync(join(dir.path, "crontab"), "", { mode: 0o644 });
  const mounts = [
    commands,
    `mount --bind '${cronD}' /etc/cron.d`,
    `mount --bind '${dir.path}/crontab' /etc/crontab`,
    "mount -t tmpfs tmpfs /var/spool/cron/crontabs",
    "mount -t tmpfs -o mode=755 tmpfs /run",
  ];
  const [unshare, ...words] = inMountNamespace(mounts.join("\n"));
  const holder = spawn(unshare!, [...words, "/bin/sh", "-c", "echo ready; exec sleep 600"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  const environment = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", BELFRY_DATA_DIR: data.path };
  const enter = ["-t", String(holder.pid), "-m", "--"];
  /** Starts a program there. */
  const start = (...command: readonly string[]): ChildProcess =>
    spawn("nsenter", [...enter, ...command], { stdio: "ignore", cwd: "/", env: environment });
  const end = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  const socket = join(data.path, "belfry.sock");
  const daemon = start(...belfry, "daemon", "run");
  const call = async (method: string, path: string): Promise<Json> => (await callSocket(socket, { method, path })).json;
  await until("the daemon", () => call("GET", "/v1/health").catch(() => null));
  return {
    folder: dir.path,
    home,
    call,
    start,
    end,
    /** The answer of a command that is run there, and its exit code. */
    run: (
      ...args: readonly string[]
    ): Promise<{ readonly code: number; readonly answer: Json; readonly stderr: string }> =>
      new Promise((resolve) => {
        execFile(
          "nsenter",
          [...enter, ...belfry, "--json", ...args],
          { env: environment, cwd: "/" },
          (error, stdout, stderr) =>
            resolve({
              code: error === null ? 0 : Number(error.code),
              answer: stdout === "" ? null : JSON.parse(stdout),
              stderr,
            }),
        );
      }),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await end(daemon);
      await endRunners(data.path);
      await end(holder);
      await data[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

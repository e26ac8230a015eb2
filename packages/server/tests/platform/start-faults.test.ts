import { tempDir, until } from "@belfry/test-kit";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTask, startRun, untilEnd, untilState, waitFor } from "../support/tasks.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { damageTable } from "../support/damage.ts";
import { canRunAsStranger, fillDisk, mountSmallDisk, stranger } from "../support/processes/privileges.ts";
import { killRunners, runnersOf, signalRunners } from "../support/processes/runners.ts";

const daemons = useDaemonProcess();

/** Expects that a daemon that failed to start left no socket and no runner. */
async function expectNothingLeft(dataDir: string): Promise<void> {
  expect(existsSync(join(dataDir, "belfry.sock"))).toBe(false);
  const readLog = (): Promise<string> => readFile(join(dataDir, "log", "runner.log"), "utf8").catch(() => "");
  const former = await readLog();
  if (existsSync(join(dataDir, "runners")) && !isClosed(join(dataDir, "runners")))
    await until("no runner is left", () => runnersOf(dataDir).length === 0);
  // a runner that the daemon left behind waits for another one in vain, and then leaves
  expect((await readLog()).slice(former.length)).not.toContain('"why":"idle"');
}

function isClosed(folder: string): boolean {
  try {
    readdirSync(folder);
    return false;
  } catch {
    return true;
  }
}

const faults: readonly {
  readonly what: string;
  /** Creates the fault after a first daemon has started and stopped. */
  readonly make: (dataDir: string) => Promise<unknown>;
  readonly message: RegExp;
}[] = [
  {
    what: "a directory in the place of sealing.key",
    make: async (dataDir) => {
      await rm(join(dataDir, "sealing.key"));
      await mkdir(join(dataDir, "sealing.key"));
    },
    message: /sealing\.key is a directory/,
  },
  {
    what: "a sealing key whose database is missing",
    make: (dataDir) => rm(join(dataDir, "belfry.db")),
    message:
      /belfry\.db is missing, but \S+sealing\.key of an earlier database exists: restore .*, or move .* away to start with an empty database/,
  },
  {
    what: "a sealing key whose database is empty",
    make: (dataDir) => truncate(join(dataDir, "belfry.db")),
    message: /belfry\.db is empty, but \S+sealing\.key of an earlier database exists/,
  },
  {
    what: "claims whose database and key are missing",
    make: async (dataDir) => {
      await mkdir(join(dataDir, "attempts", "live", "att_some"));
      for (const name of ["belfry.db", "sealing.key"]) await rm(join(dataDir, name));
    },
    message: /belfry\.db is missing, but \S+attempts\/live of an earlier database exists/,
  },
  {
    what: "a database whose sealing key is missing",
    make: (dataDir) => rm(join(dataDir, "sealing.key")),
    message:
      /sealing\.key of this database is missing: restore it from a backup, or move .* away to start with an empty database/,
  },
  {
    what: "a directory in the place of daemon.json",
    make: (dataDir) => mkdir(join(dataDir, "daemon.json")),
    message: /daemon\.json is a directory/,
  },
  {
    what: "a file in the place of runners/",
    make: async (dataDir) => {
      // only named pipes can be created there
      await rm(join(dataDir, "runners"), { recursive: true, maxRetries: 20, retryDelay: 5 });
      await writeFile(join(dataDir, "runners"), "");
    },
    message: /runners is a file/,
  },
  {
    what: "damage in the table that names the sealing key",
    make: (dataDir) => damageTable(dataDir, "meta"),
    message: /belfry\.db is damaged \(table meta\)/,
  },
  {
    what: "damage in the table of the manifest",
    make: (dataDir) => damageTable(dataDir, "manifest"),
    message: /belfry\.db is damaged \(table manifest\)/,
  },
  {
    what: "damage in the head of the audit trail",
    make: (dataDir) => damageTable(dataDir, "audit_head"),
    message: /belfry\.db is damaged \(table audit_head\)/,
  },
  {
    what: "a header that is not a database's",
    make: async (dataDir) => {
      const file = await open(join(dataDir, "belfry.db"), "r+");
      await file.write(Buffer.alloc(100, 7), 0, 100, 0);
      await file.close();
    },
    message: /belfry\.db is damaged/,
  },
];

test.for(faults)("a start that finds $what reports it in one sentence and ends", async ({ make, message }) => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  {
    await using first = await daemons.start({ dataDir });
    await first.stop();
    await killRunners(dataDir);
  }
  await make(dataDir);
  await using daemon = await daemons.spawn({ dataDir });
  expect(await daemon.ended).toBe(1);
  expect(daemon.said.stderr).toMatch(/^belfryd: [^\n]+\n$/);
  expect(daemon.said.stderr).toMatch(message);
  expect(daemon.said.stdout).not.toContain("daemon.started");
  await expectNothingLeft(dataDir);
});

test.skipIf(!canRunAsStranger)("root starts no daemon in a directory whose owner could replace its files", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await mkdir(dataDir, { mode: 0o755 });
  await chown(dataDir, stranger, stranger);
  await using daemon = await daemons.spawn({ dataDir });
  expect(await daemon.ended).toBe(1);
  expect(daemon.said.stderr).toMatch(
    new RegExp(
      `^belfryd: .*data belongs to user ${stranger}, but this process runs as user 0: run it as user ${stranger}, or `,
    ),
  );
  expect(await readdir(dataDir)).toEqual([]);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o755);
});

const foreign = ["sealing.key", "belfry.db", "lock", "runners", "attempts", "attempts/live", "log"];

test.skipIf(!canRunAsStranger).for(foreign)(
  "a start that finds another user's %s reports it in one sentence and exits",
  async (name) => {
    await using place = await tempDir();
    await chmod(place.path, 0o755);
    const dataDir = join(place.path, "data");
    await mkdir(dataDir);
    await chown(dataDir, stranger, stranger);
    {
      await using first = await daemons.start({ dataDir, uid: stranger });
      await first.stop();
    }
    await chown(join(dataDir, name), 0, 0);
    await using daemon = await daemons.spawn({ dataDir, uid: stranger });
    expect(await daemon.ended).toBe(1);
    expect(daemon.said.stderr).toMatch(/^belfryd: [^\n]+\n$/);
    expect(daemon.said.stderr).toContain(join(dataDir, name));
    if (name === "lock")
      expect(daemon.said.stderr).toContain(`it belongs to user 0, and this process runs as user ${stranger}`);
    await expectNothingLeft(dataDir);
  },
);

// the database alone opens with 36 KB: later files do not fit
test.for([0, 36, 40, 44])(
  "a start with %d KB left on the disk succeeds, or reports the full disk in one sentence and exits",
  async (room, { skip }) => {
    await using disk = await mountSmallDisk(4_096);
    if (disk === null) return skip("mounting is not allowed here");
    const dataDir = join(disk.path, "data");
    {
      await using first = await daemons.start({ dataDir });
      await first.stop();
    }
    await writeFile(join(disk.path, "room"), Buffer.alloc(room * 1024));
    fillDisk(disk.path);
    await rm(join(disk.path, "room"));
    await using daemon = await daemons.spawn({ dataDir });
    const isReady = await daemon.ready();
    if (!isReady) {
      expect(await daemon.ended).toBe(1);
      expect(daemon.said.stderr).toMatch(/^belfryd: the disk of [^\n]* is full[^\n]*\n$/);
    }
    await daemon.stop();
    // with free space again runners can log, and the next start succeeds
    await rm(join(disk.path, "filler-0"));
    if (!isReady) await expectNothingLeft(dataDir);
    await using next = await daemons.start({ dataDir });
    expect(await next.call("GET", "/v1/health")).toMatchObject({ status: 200 });
  },
);

/** Throws an uncaught error once the file exists, or once it is gone. */
function throwOnce(file: string, when: "exists" | "gone"): Record<string, string> {
  const code = `import { existsSync } from "node:fs";
    const timer = setInterval(() => {
      if (existsSync(${JSON.stringify(file)}) !== ${when === "exists"}) return;
      clearInterval(timer);
      throw new Error("planted");
    }, 20).unref();`;
  const preload = `--import data:text/javascript,${encodeURIComponent(code)}`;
  return { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp", NODE_OPTIONS: preload };
}

test("an uncaught error ends a start with one sentence, and the log has the details", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await using first = await daemons.start({ dataDir });
  const run = await startRun(first, await makeTask(first, "sleep 600"));
  await untilState(first, run, "running");
  await first.kill();
  // a start waits five seconds for this runner's reports
  signalRunners(dataDir, "SIGSTOP");
  // a start removes an unfinished backup once it has the lock
  const unfinished = join(dataDir, "backup.tmp");
  await mkdir(unfinished);
  await using daemon = await daemons.spawn({ dataDir, environment: throwOnce(unfinished, "gone") });
  expect(await daemon.ended).toBe(1);
  expect(daemon.said.stderr).toBe(
    `belfryd: the daemon could not start (planted): see ${join(dataDir, "log", "belfry.log")}\n`,
  );
  expect(await readFile(join(dataDir, "log", "belfry.log"), "utf8")).toMatch(/daemon\.not_started.*planted.* at /);
  expect(existsSync(join(dataDir, "daemon.json"))).toBe(false);
  signalRunners(dataDir, "SIGCONT");
});

test("an uncaught error stops a running daemon cleanly, and its tasks continue", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  const plant = join(place.path, "plant");
  await using daemon = await daemons.start({ dataDir, environment: throwOnce(plant, "exists") });
  const run = await startRun(daemon, await makeTask(daemon, waitFor(join(place.path, "go"))));
  await untilState(daemon, run, "running");
  await writeFile(plant, "");
  expect(await daemon.ended).toBe(1);
  expect(daemon.said.stdout).toMatch(/ERROR daemon\.failed .*planted[^]*daemon\.stopped/);
  expect(existsSync(join(dataDir, "belfry.sock"))).toBe(false);
  expect(existsSync(join(dataDir, "daemon.json"))).toBe(false);
  await using next = await daemons.start({ dataDir });
  await writeFile(join(place.path, "go"), "");
  expect(await untilEnd(next, run)).toMatchObject({ state: "succeeded", attempt: 1 });
});

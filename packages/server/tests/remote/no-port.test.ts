import { tempDir } from "@belfry/test-kit";
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/kernel/storage/database.ts";
import { migrate, readMigrations } from "../../src/kernel/storage/migrate.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { configureRemote, untilListening } from "../support/remote-process.ts";

const daemons = useDaemonProcess();

/** The TCP ports on which a process listens. */
function listeningPorts(pid: number): readonly number[] {
  const folder = `/proc/${pid}/fd`;
  const open = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(join(folder, fd));
    } catch {
      return ""; // closed since the list was read
    }
  });
  return ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, "latin1")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === "0A" && open.includes(`socket:[${columns[9]}]`))
      .map((columns) => Number.parseInt(columns[1]!.split(":")[1]!, 16)),
  );
}

test("the search for ports finds the port of a daemon with the remote API", async () => {
  await using dir = await tempDir("br-");
  const port = await configureRemote(dir.path);
  await using daemon = await daemons.start({ dataDir: dir.path });
  await untilListening(daemon);
  expect(listeningPorts(daemon.pid)).toEqual([port]);
});

test("a new installation opens no port, and makes no key", async () => {
  await using daemon = await daemons.start();
  expect(listeningPorts(daemon.pid)).toEqual([]);
  expect(existsSync(join(daemon.dataDir, "remote"))).toBe(false);
});

/** The last version without the remote API, and one before actors. */
test.each([18, 15])(
  "an upgrade from the database of version %i, with its configuration, opens no port",
  async (version) => {
    await using dir = await tempDir("br-");
    const { sqlite, close } = openDatabase(join(dir.path, "belfry.db"));
    migrate(sqlite, readMigrations().slice(0, version));
    close();
    writeFileSync(join(dir.path, "config.toml"), '[log]\nlevel = "debug"\n[engine]\nmax_concurrent_runs = 3\n');
    await using daemon = await daemons.start({ dataDir: dir.path });
    expect(listeningPorts(daemon.pid)).toEqual([]);
    expect((await daemon.call("GET", "/v1/remote")).json).toMatchObject({ enabled: false, listening: false });
    expect(existsSync(join(dir.path, "remote"))).toBe(false);
  },
);

import { tempDir } from "@belfry/test-kit";
import { chmod, chown, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog, systemClock } from "../../src/index.ts";
import type { LogEntry } from "../../src/kernel/log/log.ts";
import { auditRowsOf } from "../support/api.ts";
import { startDaemon } from "../support/harness.ts";
import { freePlace } from "../support/ports.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { canRunAsStranger, stranger } from "../support/processes/privileges.ts";

const daemons = useDaemonProcess();
const isRoot = process.getuid?.() === 0;

async function sectionFor(lines: string): Promise<string> {
  const { host, port } = await freePlace();
  return `[remote]\nhost = "${host}"\nport = ${port}\n${lines}`;
}

async function accessOf(path: string) {
  const { mode, uid, gid } = await stat(path);
  return { mode: mode & 0o7777, uid, gid };
}

test("a call that applies `commands` or limits from the file records it, and the log warns of it once", async () => {
  const logged: LogEntry[] = [];
  await using daemon = await startDaemon({ log: createLog(systemClock, "debug", [(entry) => logged.push(entry)]) });
  const warnings = () => logged.filter(({ event }) => event === "remote.commands_allowed");
  const config = join(daemon.dataDir, "config.toml");
  const section = await sectionFor("");
  const changedBy = async (lines: string): Promise<readonly string[]> => {
    await writeFile(config, `${section}${lines}`);
    const answer = await daemon.call("POST", "/v1/remote/enable");
    expect(answer.status, answer.text).toBe(200);
    await daemon.rounds.remote.idle();
    return JSON.parse(auditRowsOf(daemon, answer)[0]!.changed_fields_json) as readonly string[];
  };
  expect(await changedBy("")).toEqual(["enabled", "host", "port"]);
  expect(warnings()).toEqual([]);
  expect(await changedBy("commands = true\n")).toEqual(["commands"]);
  expect(warnings()).toMatchObject([{ level: "warn" }]);
  expect(await changedBy("commands = true\n[remote.limits]\nconnections = 7\n")).toEqual(["limits"]);
  expect(warnings()).toHaveLength(1);
  expect(await changedBy("commands = false\n")).toEqual(["commands", "limits"]);
  expect(await changedBy("commands = true\n")).toEqual(["commands"]);
  expect(warnings()).toHaveLength(2);
});

test("a daemon whose remote callers may set what runs warns of it at its start, and only while the API is on", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await mkdir(dataDir);
  for (const enabled of [true, false]) {
    await writeFile(join(dataDir, "config.toml"), await sectionFor(`commands = true\nenabled = ${enabled}\n`));
    await using daemon = await daemons.start({ dataDir });
    expect(/WARN +remote\.commands_allowed .*may set what runs/.test(daemon.output())).toBe(enabled);
    await daemon.stop();
  }
});

test("the configuration keeps its mode, its owner and its group", async () => {
  await using daemon = await startDaemon();
  const config = join(daemon.dataDir, "config.toml");
  await writeFile(config, `# mine\n${await sectionFor("")}`);
  if (isRoot) await chown(config, 0, stranger);
  for (const mode of [0o640, 0o444, 0o600]) {
    await chmod(config, mode);
    const before = await accessOf(config);
    for (const operation of ["enable", "disable"]) {
      expect((await daemon.call("POST", `/v1/remote/${operation}`)).status).toBe(200);
      expect(await accessOf(config)).toEqual(before);
    }
  }
  expect(await readFile(config, "utf8")).toMatch(/^# mine\n/);
});

test.skipIf(!canRunAsStranger)("a configuration whose owner cannot be kept is not written", async () => {
  await using place = await tempDir();
  await chmod(place.path, 0o755);
  const dataDir = join(place.path, "data");
  await mkdir(dataDir);
  const config = join(dataDir, "config.toml");
  const text = await sectionFor("");
  await writeFile(config, text, { mode: 0o644 });
  const before = await accessOf(config);
  await chown(dataDir, stranger, stranger);
  await using daemon = await daemons.start({ dataDir, uid: stranger });
  const answer = await daemon.call("POST", "/v1/remote/enable");
  expect(answer, answer.text).toMatchObject({ status: 409, json: { error: { code: "conflict" } } });
  expect(answer.json.error.message).toMatch(
    /config\.toml cannot be written .*: the daemon's user cannot give the new file the owner and group of the former one\. Give the file to this user with chown, or write the section yourself$/,
  );
  expect(await accessOf(config)).toEqual(before);
  expect(await readFile(config, "utf8")).toBe(text);
  expect((await daemon.call("GET", "/v1/remote")).json).toMatchObject({ enabled: false, listening: false });
});

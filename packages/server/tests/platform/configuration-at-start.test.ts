import { tempDir } from "@belfry/test-kit";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";

const daemons = useDaemonProcess();

test("a change of the configuration applies from the next start, and SIGHUP changes nothing", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  const socket = join(place.path, "fire.sock");
  await mkdir(dataDir);
  await writeFile(join(dataDir, "config.toml"), "");
  await using daemon = await daemons.start({ dataDir });
  await writeFile(join(dataDir, "config.toml"), `[triggers]\nsocket = "${socket}"\n`);
  process.kill(daemon.pid, "SIGHUP");
  for (let times = 0; times < 3; times++) {
    const { status, json } = await daemon.call("GET", "/v1/runtime-info");
    expect([status, json.fire_socket]).toEqual([200, undefined]);
  }
  expect(await daemon.stop()).toBe(0);
  await using next = await daemons.start({ dataDir });
  expect((await next.call("GET", "/v1/runtime-info")).json.fire_socket).toMatchObject({ path: socket });
});

test("a mistake in the section of the socket for fires ends the start with 2, before anything is made", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await mkdir(dataDir);
  const mistakes = [
    [`socket = "${join(dataDir, "fire.sock")}"`, /is inside the data directory/],
    ['socket = "fire.sock"', /is inside the data directory/],
    ['socket = "missing/fire.sock"', /is inside the data directory/],
    ['socket = "~/fire.sock"', /begins with ~.*: write the whole path/],
    [`socket = "${join(place.path, "fire.sock")}"\nsocket_group = "no-such-group"`, /is not in \/etc\/group/],
    [`socket = "${join(place.path, "fire.sock")}"\nsocket_mode = "0777"`, /socket_mode must be one of/],
  ] as const;
  for (const [lines, expected] of mistakes) {
    await writeFile(join(dataDir, "config.toml"), `[triggers]\n${lines}\n`);
    await using daemon = await daemons.spawn({ dataDir });
    expect(await daemon.ended, lines).toBe(2);
    expect(daemon.said.stderr).toMatch(expected);
    expect(daemon.said.stderr.trimEnd().split("\n"), lines).toHaveLength(1);
    expect(daemon.said.stdout, lines).toBe("");
    expect(await readdir(dataDir), lines).toEqual(["config.toml"]);
  }
});

test("a directory of the socket for fires that is missing at the start ends it with 1, so that it is tried again", async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, "data");
  await mkdir(dataDir);
  const folder = join(place.path, "missing");
  await writeFile(join(dataDir, "config.toml"), `[triggers]\nsocket = "${join(folder, "fire.sock")}"\n`);
  await using daemon = await daemons.spawn({ dataDir });
  expect(await daemon.ended).toBe(1);
  expect(daemon.said.stderr).toContain(`the directory ${folder} of triggers.socket does not exist: create it`);
});

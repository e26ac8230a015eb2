import { tempDir } from "@belfry/test-kit";
import { mkdir, writeFile } from "node:fs/promises";
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

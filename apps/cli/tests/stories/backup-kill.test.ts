import { tempDir, until } from "@belfry/test-kit";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useDaemonProcess } from "../../../../packages/server/tests/support/processes/daemon-process.ts";
import { callBelfry } from "../call.ts";

const daemons = useDaemonProcess();

test("a daemon that is killed during a backup leaves no file under its name, and after the next start nothing at all", async () => {
  await using place = await tempDir("bf-");
  await using target = await tempDir("bf-");
  const dataDir = place.path;
  const copies = join(dataDir, "backup.tmp");
  const file = join(target.path, "belfry.tar");
  {
    await using daemon = await daemons.start({ dataDir });
    for (let count = 0; count < 200; count++) {
      const command = { kind: "shell", script: `: ${String(count).repeat(100_000 / 3)}`.slice(0, 100_000) };
      await daemon.call("POST", "/v1/tasks", { name: `task ${count}`, command });
    }
    const backup = callBelfry(["backup", "create", file], { environment: { BELFRY_DATA_DIR: dataDir } });
    await until("the copy", () => existsSync(copies) && readdirSync(copies).length > 0);
    process.kill(daemon.pid, "SIGKILL");
    const { code } = await backup;
    expect(code).not.toBe(0);
    expect(readdirSync(target.path)).toEqual([]);
  }
  expect(readdirSync(copies).length).toBeGreaterThan(0);
  await using daemon = await daemons.start({ dataDir });
  expect(existsSync(copies)).toBe(false);
  const environment = { BELFRY_DATA_DIR: daemon.dataDir };
  expect(await callBelfry(["backup", "create", file], { environment })).toMatchObject({ code: 0 });
  expect(readdirSync(target.path)).toEqual(["belfry.tar"]);
  expect(readdirSync(copies)).toEqual([]);
});

import { tempDir, until } from "@belfry/test-kit";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canMount, fillDisk, mountSmallDisk } from "../../../../packages/server/tests/support/processes/privileges.ts";
import { startBelfry } from "../belfry.ts";

test.skipIf(!canMount)(
  "while the disk is full, status and a command that waits for a run say so, and the end of the run is recorded later",
  async () => {
    await using disk = (await mountSmallDisk(4_096))!;
    await using dir = await tempDir();
    await using belfry = await startBelfry({ dataDir: disk.path });
    expect((await belfry.call(["status"])).stderr).toBe("");
    const gate = join(dir.path, "gate");
    await belfry.text("task", "add", "Slow", "--shell", `until [ -e ${gate} ]; do sleep 0.1; done`);
    let seen = "";
    const waiting = belfry.call(["task", "run", "Slow", "--wait"], { onStderr: (text) => (seen += text) });
    await until("the run", async () => (await belfry.text("ps")).includes("running"));
    fillDisk(disk.path);
    const warning = new RegExp(
      `^Warning: .* free in ${disk.path}\\. On a full disk, no task starts, and the ends`,
      "m",
    );
    expect((await belfry.call(["status"])).stderr).toMatch(warning);
    await until("the warning", () => warning.test(seen));
    writeFileSync(gate, "");
    for (const name of readdirSync(disk.path)) if (name.startsWith("filler-")) rmSync(join(disk.path, name));
    expect((await waiting).code).toBe(0);
    expect((await belfry.call(["status"])).stderr).toBe("");
  },
);

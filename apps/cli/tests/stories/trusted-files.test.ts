import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

test("doctor reports a configuration that other users can change", async () => {
  await using belfry = await startBelfry();
  const config = join(belfry.daemon.dataDir, "config.toml");
  writeFileSync(config, "");
  chmodSync(config, 0o666);
  const unsafe = await belfry.call(["doctor"], { columns: 1_000 });
  expect(unsafe.code).toBe(1);
  expect(unsafe.stdout).toContain(
    `${config}: the configuration can be changed by all users (mode 0666): remove this permission with chmod o-w. The daemon does not start with this file\n`,
  );
  chmodSync(config, 0o644);
  expect(await belfry.text("doctor")).not.toContain(config);
});

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write("Name the folder for the pictures: npx pnpm@12 pictures DIR\n");
  process.exit(2);
}
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const config = join(import.meta.dirname, "pictures.config.ts");
const { status } = spawnSync(process.execPath, [vitest, "run", "--config", config], {
  stdio: "inherit",
  env: { ...process.env, BELFRY_PICTURES: resolve(folder) },
});
process.exit(status ?? 1);

import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tempDir } from "@belfry/test-kit";
import { run } from "./as-user.ts";

const consumer = fileURLToPath(new URL("../fixtures/consumer.ts", import.meta.url));

/** Creates a user's project in its own folder, with these packages installed by npm, and the consumer as its source. */
export async function createUserProject(packages: readonly string[]): Promise<AsyncDisposable & { path: string }> {
  const dir = await tempDir("belfry-user-");
  const compilerOptions = { strict: true, target: "es2022", module: "nodenext", types: [], noEmit: true };
  await writeFile(join(dir.path, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(dir.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  await copyFile(consumer, join(dir.path, "consumer.ts"));
  const { exitCode, output } = await run(dir.path, ["npm", "install", "--no-audit", "--no-fund", ...packages]);
  if (exitCode === 0) return dir;
  await dir[Symbol.asyncDispose]();
  throw new Error(`npm install ended with ${exitCode}:\n${output}`);
}

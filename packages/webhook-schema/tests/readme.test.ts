import { tempDir } from "@belfry/test-kit";
import { build } from "esbuild";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const [quickStart = "", ownTest = ""] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);

test("the quick start accepts the delivery of the README's test", async () => {
  const secret = `whsec_${Buffer.alloc(32, "readme").toString("base64")}`;
  expect(await run({ BELFRY_WEBHOOK_SECRET: secret })).toEqual({
    output: "Nightly backup failure\n204\n",
    exitCode: 0,
  });
});

test("the quick start accepts nothing if its secret is not set", async () => {
  const { output, exitCode } = await run({});
  expect(output).toBe("");
  expect(exitCode).toBe(1);
});

async function run(environment: Readonly<Record<string, string>>) {
  await using dir = await tempDir();
  const { outputFiles } = await build({
    stdin: { contents: `${quickStart}\n${ownTest}`, resolveDir: root, loader: "ts" },
    absWorkingDir: root,
    alias: { "@belfry/webhook-schema": "./src/index.ts", "@belfry/webhook-schema/testing": "./src/testing/index.ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
  });
  const program = join(dir.path, "program.mjs");
  await writeFile(program, outputFiles[0]!.contents);
  const node = spawn(process.execPath, [program], { env: environment, stdio: ["ignore", "pipe", "ignore"] });
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  node.once("close", resolve);
  return { output: await text(node.stdout), exitCode: await ended };
}

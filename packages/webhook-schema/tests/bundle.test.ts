import { build } from "esbuild";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const gzippedBytesMax = 5_000;

/** Bundles an entry as a receiver's bundler does. */
async function bundle(entry: string, format: "esm" | "iife" = "esm") {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format,
    globalName: "belfry",
    platform: "neutral",
    logLevel: "silent",
  });
  return { text: outputFiles[0]!.text, inputs: Object.keys(metafile.inputs) };
}

test("the entry for receivers is small, and contains only this package", async () => {
  const { text, inputs } = await bundle("src/index.ts");
  const bytes = gzipSync(text).length;
  expect(bytes).toBeLessThanOrEqual(gzippedBytesMax);
  expect(inputs.filter((path) => !/^src\/[\w-]+\.ts$/.test(path))).toEqual([]);
});

test("no file of the package imports another package, not even for a type", () => {
  const sources = globSync("src/**/*.ts", { cwd: root });
  expect(sources.length).toBeGreaterThan(10);
  expect(sources.filter((path) => /from "[^.]/.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
});

test("the entry for receivers runs with web globals only, as in Workers, Deno and browsers", async () => {
  const { text } = await bundle("src/index.ts", "iife");
  const testing = await bundle("src/testing/index.ts", "iife");
  const web = { atob, btoa, crypto, Headers, TextDecoder, TextEncoder };
  const context = createContext({ ...web });
  const delivered: unknown = await runInContext(
    `${testing.text}; const { createTestDelivery } = belfry; ${text.replace("var belfry", "var receiver")};
    (async () => {
      const secret = "whsec_" + btoa("a key of thirty-two bytes, quite");
      const { headers, body } = await createTestDelivery({ secret });
      const payload = await receiver.parseWebhook(new Headers(headers), body, { secret });
      const other = { secret: "whsec_" + btoa("another of thirty-two bytes, too") };
      const refusal = await receiver.parseWebhook(headers, body, other).catch((error) => error.reason);
      return JSON.stringify([payload.task.name, refusal, await receiver.verifyAuthorization("a", "a"), typeof Buffer, typeof process]);
    })()`,
    context,
  );
  expect(JSON.parse(String(delivered))).toEqual(["Nightly backup", "unauthorized", true, "undefined", "undefined"]);
});

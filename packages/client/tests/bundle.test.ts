import type { BuildOptions, Metafile } from "esbuild";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bundle } from "./bundle.ts";

/** The maximum sizes of each entry, compressed. The remote entry runs only on Node, where size matters less. */
const sizes = [
  { entry: "src/index.ts", wholeBytesMax: 25_600, ownBytesMax: 15_500 },
  { entry: "src/browser.ts", wholeBytesMax: 25_600, ownBytesMax: 15_500 },
  { entry: "src/local.ts", wholeBytesMax: 25_600, ownBytesMax: 15_500 },
  { entry: "src/remote.ts", wholeBytesMax: 30_000, ownBytesMax: 20_000 },
];
/** What a remote client shares with the daemon. */
const contractFiles = [
  "remote.ts",
  "core/capability.ts",
  "modules/pairings/invitation.ts",
  "modules/remote/server-name.ts",
].map((file) => `../contract/src/${file}`);

describe.each(sizes)("the entry $entry, bundled", ({ entry, wholeBytesMax, ownBytesMax }) => {
  test("is small with its dependencies, and smaller without", async () => {
    const whole = await bundleOf({ entryPoints: [entry] });
    const own = await bundleOf({ entryPoints: [entry] }, ["ky", "eventsource-parser"]);
    expect(gzipSync(whole.code).length).toBeLessThanOrEqual(wholeBytesMax);
    expect(gzipSync(own.code).length).toBeLessThanOrEqual(ownBytesMax);
  });

  test("contains only this package, ky, the event parser, and the contract without its schemas", async () => {
    const { inputs } = await bundleOf({ entryPoints: [entry] });
    const foreign = inputs.filter(
      (path) =>
        !path.startsWith("src/") &&
        !/\/node_modules\/(ky|eventsource-parser)\//.test(path) &&
        !contractFiles.includes(path),
    );
    expect(foreign).toEqual([]);
  });
});

test.each(["src/index.ts", "src/browser.ts"])("the entry %s imports no Node modules", async (entry) => {
  const { imports } = await bundleOf({ entryPoints: [entry] });
  expect(imports).toEqual([]);
});

test("the local entry imports only Node modules", async () => {
  const { imports } = await bundleOf({ entryPoints: ["src/local.ts"] });
  expect(imports).toEqual(["node:fs", "node:http", "node:os", "node:path"]);
});

test("the remote entry imports only Node modules, and no fetch of its own", async () => {
  const { imports } = await bundleOf({ entryPoints: ["src/remote.ts"] });
  expect(imports).toEqual(["node:crypto", "node:http", "node:net", "node:tls"]);
});

test("unused exports are removed", async () => {
  const { code } = await bundleOf({ stdin: { contents: 'export { backoffMs } from "@belfry/client"' } });
  expect(gzipSync(code).length).toBeLessThan(500);
});

async function bundleOf(options: BuildOptions, external: readonly string[] = []) {
  const { outputFiles, metafile } = await bundle({ ...options, minify: true, external: ["node:*", ...external] });
  return { code: outputFiles[0]!.contents, inputs: Object.keys(metafile.inputs), imports: externalImports(metafile) };
}

function externalImports(metafile: Metafile): string[] {
  const paths = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return [...new Set(paths)].toSorted();
}

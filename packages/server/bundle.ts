import { build, type BuildOptions } from "esbuild";
import { chmod, rm } from "node:fs/promises";

const out = process.argv[2] ?? "dist/bundle";
await rm(out, { recursive: true, force: true });

// these bring native binaries of their own; everything else goes in, so that the daemon starts in an instant
const shared = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  conditions: ["@belfry/source"],
  // a lazy import of a CommonJS module would lose its named exports
  mainFields: ["module", "main"],
  external: ["better-sqlite3", "koffi"],
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
} satisfies BuildOptions;

// the CommonJS modules of tar-stream require Node's own modules, which an ES module can do only with this function
const requireBuiltins = {
  js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
};

await Promise.all([
  // split, so that the check of Node's version comes before anything that would crash on it
  build({ ...shared, entryPoints: { belfryd: "src/bin.ts" }, outdir: out, splitting: true, banner: requireBuiltins }),
  // one file without lazy imports: an upgrade cannot break a runner that is running
  build({ ...shared, entryPoints: ["src/runner/main.ts"], outfile: `${out}/runner.js` }),
  // the programs of three threads
  build({
    ...shared,
    entryPoints: ["src/transports/shared/body-worker.ts"],
    outfile: `${out}/body-worker.js`,
  }),
  build({ ...shared, entryPoints: ["src/kernel/storage/copy-worker.ts"], outfile: `${out}/copy-worker.js` }),
  build({ ...shared, entryPoints: ["src/features/watchers/observing/program.ts"], outfile: `${out}/observer.js` }),
]);
await chmod(`${out}/belfryd.js`, 0o755);

import { chmodSync, globSync, readFileSync, rmSync } from "node:fs";
import { build, type Plugin } from "esbuild";

/**
 * Node's own modules, taken when they are needed. An ES import of one reads each of its exports, and some of node:http's
 * load the whole of fetch: half of the time that a short command takes.
 */
const lazyBuiltins: Plugin = {
  name: "lazy-builtins",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      // commander takes it for commands that are programs of their own, of which there are none
      const isNeedless = path === "node:child_process" && importer.includes("/commander/");
      return { path, namespace: isNeedless ? "needless" : "builtin" };
    });
    bundler.onLoad({ filter: /./, namespace: "needless" }, () => ({ contents: "module.exports = {}" }));
    // what has no names of its own is not copied name by name: copying reads each, and some are made when they are read
    bundler.onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `const builtin = process.getBuiltinModule(${JSON.stringify(path)});
        module.exports = typeof builtin === "function" || builtin === process ? builtin : Object.create(builtin);`,
    }));
  },
};

/**
 * What most commands share, in one file: loading a file takes longer than what is in it. What needs the SDK is not among
 * it, for that is loaded once the lean fetch stands in its place.
 */
const together: Plugin = {
  name: "together",
  setup: (bundler) => {
    const files = globSync("src/{find,views,output,input}/*.ts", {
      cwd: import.meta.dirname,
      exclude: ["**/*.test.ts"],
    });
    bundler.onResolve({ filter: /^belfry:together$/ }, () => ({ path: "together", namespace: "together" }));
    bundler.onLoad({ filter: /./, namespace: "together" }, () => ({
      contents: files.map((file) => `import ${JSON.stringify(`./${file}`)};`).join("\n"),
      resolveDir: import.meta.dirname,
    }));
    bundler.onLoad({ filter: /src\/commands\/.*\.ts$/ }, ({ path }) => ({
      contents: `${readFileSync(path, "utf8")}\nimport "belfry:together";`,
      loader: "ts",
    }));
  },
};

// Split by command: `belfry --help` loads the words of all commands and the code of none.
const outdir = process.argv[2] ?? "dist/bundle";
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: { belfry: "src/bin.ts" },
  outdir,
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node24",
  format: "esm",
  conditions: ["@belfry/source"],
  plugins: [lazyBuiltins, together],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
});
chmodSync(`${outdir}/belfry.js`, 0o755);

import { chmodSync, cpSync, existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

/**
 * Loads Node's own modules lazily. An ES import reads every export, and some exports of node:http load all of fetch, which
 * takes half of the time of a short command.
 */
const lazyBuiltins: Plugin = {
  name: "lazy-builtins",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      // commander needs it only for subcommands that are separate programs
      const isUnused = path === "node:child_process" && importer.includes("/commander/");
      return { path, namespace: isUnused ? "unused" : "builtin" };
    });
    bundler.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {}" }));
    // an object with the module as its prototype has no exports to copy: copying would read each, and some load more code
    bundler.onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `const builtin = process.getBuiltinModule(${JSON.stringify(path)});
        module.exports = typeof builtin === "function" || builtin === process ? builtin : Object.create(builtin);`,
    }));
  },
};

/**
 * Puts the modules that most commands share into one file, because loading a file takes longer than running it. Modules
 * that need the SDK stay apart: they must load after the lean fetch is in place.
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
  // a library in two forms is bundled as modules: a CommonJS form may require its parts in ways that no bundler sees
  mainFields: ["module", "main"],
  conditions: ["@belfry/source"],
  plugins: [lazyBuiltins, together],
  // it brings a native binary of its own
  external: ["@napi-rs/keyring"],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
});
chmodSync(`${outdir}/belfry.js`, 0o755);

// turbo builds the screens first; a bundle for tests, which has a folder of its own, has none
const screens = join(import.meta.dirname, "../desktop/dist");
if (process.argv[2] === undefined && existsSync(join(screens, "index.html")))
  cpSync(screens, join(outdir, "screens"), { recursive: true });

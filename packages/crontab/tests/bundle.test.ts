import { build } from "esbuild";
import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";

const program = `
  import { cronEnvironment, parseCrontab, planImport } from "@belfry/crontab";
  export function read(text) {
    const lines = parseCrontab(text, "user");
    return planImport(lines, {
      groupName: "web",
      parentId: null,
      source: "crontab",
      cronEnvironment: cronEnvironment(""),
      owner: null,
      daemonUser: { name: "web", isRoot: false },
      unknownUsers: new Set(),
      userWords: new Map(),
      runAsMe: false,
      catchUp: false,
      noOverlap: false,
    });
  }
`;

test("a bundle for browsers has nothing of Node, and plans an import in a page", async () => {
  const root = new URL("..", import.meta.url).pathname;
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: root, loader: "ts" },
    absWorkingDir: root,
    alias: { "@belfry/crontab": "./src/index.ts" },
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "iife",
    globalName: "page",
    conditions: ["@belfry/source"],
    logLevel: "silent",
  });
  const inputs = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(inputs.filter((path) => path.startsWith("node:"))).toEqual([]);
  // neither Buffer nor process
  const page = createContext({ Intl, TextDecoder, TextEncoder });
  runInContext(outputFiles[0]!.text, page);
  const long = `LONG="${"ü".repeat(600)}"`;
  const text = `CRON_TZ=Europe/Berlin\n# Nightly backup\n0 3 * * * backup --all\n61 * * * * never\n${long}\n`;
  const json: unknown = runInContext(`JSON.stringify(page.read(${JSON.stringify(text)}))`, page);
  const plan = JSON.parse(String(json)) as { readonly body: object; readonly report: readonly object[] };
  expect(plan.body).toMatchObject({
    groups: [{ name: "web", time_zone: "Europe/Berlin", environment: { PATH: "/usr/bin:/bin" } }],
    tasks: [{ name: "Nightly backup", command: { kind: "shell", script: "backup --all" } }],
    schedules: [{ kind: "cron", expression: "0 3 * * *" }],
  });
  expect(plan.report).toMatchObject([{}, {}, { outcome: "taken" }, { line: 4, outcome: "refused" }, {}]);
});

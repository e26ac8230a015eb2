import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ambients } from "./ambients.ts";
import { findCycles } from "./cycles.ts";
import { bundled, layers, loaders, narrowEntries, packages, features, serverHome } from "./layers.ts";
import { outsideModules } from "./outside.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const server = join(repository, serverHome);

describe("the tables name only what exists", () => {
  test.each(Object.keys(packages))("package %s", (home) => {
    expect(existsSync(join(repository, home, "package.json"))).toBe(true);
  });

  test.each(Object.entries(features))("module %s", (name, { shares = [] }) => {
    expect([`features/${name}/index.ts`, ...shares].filter((path) => !existsSync(join(server, path)))).toEqual([]);
  });

  test.each([...bundled, ...loaders, ...Object.values(narrowEntries).flat()])("file %s", (glob) => {
    expect(globSync(glob, { cwd: repository })).not.toEqual([]);
  });

  test.each(Object.entries(layers))("layer %s", (_name, layer) => {
    expect([...layer.files, ...layer.imports].filter((glob) => globSync(glob, { cwd: server }).length === 0)).toEqual(
      [],
    );
  });

  test.each([...outsideModules, ...ambients])("owners: $instead", ({ owners }) => {
    // a module does not need every file of the template
    const named = owners.filter(
      (owner) =>
        !/features\/[^/]+\/(table|store|pool-store|history-store|failure-store|abandon-store|attempt-store)\.ts$/.test(
          owner,
        ),
    );
    expect(named.filter((glob) => globSync(glob, { cwd: repository }).length === 0)).toEqual([]);
  });
});

describe("the modules", () => {
  test("do not open each other in a cycle", () => {
    const graph = new Map(Object.entries(features).map(([module, { opens }]) => [module, opens]));
    expect(findCycles(graph)).toEqual([]);
  });

  test("open only entries of modules that exist", () => {
    const opened = Object.values(features).flatMap(({ opens }) => opens);
    expect(opened.filter((module) => !(module in features))).toEqual([]);
  });
});

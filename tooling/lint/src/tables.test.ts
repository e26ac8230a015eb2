import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findCycles } from "./cycles.ts";
import { bundled, floors, loaders, narrowEntries, packages, rooms, serverHome } from "./layers.ts";
import { ambients, outsideModules } from "./outside.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const server = join(repository, serverHome);

describe("the tables name nothing that is gone", () => {
  test.each(Object.keys(packages))("package %s", (home) => {
    expect(existsSync(join(repository, home, "package.json"))).toBe(true);
  });

  test.each(Object.entries(rooms))("room %s", (name, { shares = [] }) => {
    expect([`features/${name}/index.ts`, ...shares].filter((path) => !existsSync(join(server, path)))).toEqual([]);
  });

  test.each([...bundled, ...loaders, ...Object.values(narrowEntries).flat()])("file %s", (glob) => {
    expect(globSync(glob, { cwd: repository })).not.toEqual([]);
  });

  test.each(Object.entries(floors))("floor %s", (_name, floor) => {
    expect([...floor.files, ...floor.imports].filter((glob) => globSync(glob, { cwd: server }).length === 0)).toEqual(
      [],
    );
  });

  test.each([...outsideModules, ...ambients])("doorkeepers: $instead", ({ keepers }) => {
    // a room need not have each file of the template
    const named = keepers.filter((keeper) => !/features\/[^/]+\/(table|store)\.ts$/.test(keeper));
    expect(named.filter((glob) => globSync(glob, { cwd: repository }).length === 0)).toEqual([]);
  });
});

describe("the rooms", () => {
  test("open no door in a ring", () => {
    const graph = new Map(Object.entries(rooms).map(([room, { opens }]) => [room, opens]));
    expect(findCycles(graph)).toEqual([]);
  });

  test("open only doors of rooms that exist", () => {
    const opened = Object.values(rooms).flatMap(({ opens }) => opens);
    expect(opened.filter((room) => !(room in rooms))).toEqual([]);
  });
});

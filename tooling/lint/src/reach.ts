import { matchesGlob } from "node:path/posix";
import {
  layers,
  inFolder,
  narrowEntries,
  packages,
  features,
  serverHome,
  tableReaders,
  type FeatureModule,
} from "./layers.ts";
import { outsideModules, type OutsideModule } from "./outside.ts";

/** What one shipped file may import, computed from the tables. */
export interface Reach {
  /** The file's layer, module or package, as messages name it. */
  readonly zone: string;
  /** Globs of repository files. */
  readonly files: readonly string[];
  /** Globs of files of which only the types may be imported. */
  readonly types: readonly string[];
  /** Specifiers of workspace packages. */
  readonly packages: readonly string[];
}

/** Returns undefined if the tables have no place for the file. */
export function reachOf(file: string): Reach | undefined {
  const home = Object.keys(packages).find((candidate) => file.startsWith(`${candidate}/src/`));
  if (home === undefined) return undefined;
  const narrow = Object.keys(narrowEntries).filter((entry) => matchesAny(file, narrowEntries[entry] ?? []));
  const imports = [...(packages[home] ?? []), ...narrow];
  if (!file.startsWith(`${serverHome}/`))
    return {
      zone: home,
      files: [`${home}/src/**/*.ts`, `${home}/src/**/*.tsx`, `${home}/src/**/*.css`, `${home}/package.json`],
      types: [],
      packages: imports,
    };
  const inside = reachInServer(file.slice(serverHome.length + 1));
  return inside && { ...inside, packages: imports };
}

function reachInServer(file: string): Omit<Reach, "packages"> | undefined {
  for (const [zone, layer] of Object.entries(layers)) {
    if (matchesAny(file, layer.files)) return { zone, files: inServer([...layer.files, ...layer.imports]), types: [] };
  }
  for (const [name, module] of Object.entries(features)) {
    if (file.startsWith(`features/${name}/`)) return reachOfModule(file, name, module);
  }
  return undefined;
}

function reachOfModule(file: string, name: string, module: FeatureModule): Omit<Reach, "packages"> {
  const entries = module.opens.map((other) => `features/${other}/index.ts`);
  const readsTables = tableReaders.some((reader) => file === `features/${name}/${reader}`);
  const tables = readsTables ? module.opens.map((other) => `features/${other}/table.ts`) : [];
  return {
    zone: `features/${name}`,
    files: inServer([
      ...inFolder(`features/${name}`),
      ...inFolder("kernel"),
      ...entries,
      ...tables,
      ...(module.shares ?? []),
    ]),
    types: inServer(module.opens.map((other) => `features/${other}/facts.ts`)),
  };
}

/** Finds the row that restricts the whole module, or the row that restricts some of its exports. */
export function rowOf(specifier: string, kind: "whole" | "names"): OutsideModule | undefined {
  const rows = outsideModules.filter((row) => (row.names !== undefined) === (kind === "names"));
  const own = rows.find((row) =>
    row.modules.some((module) => specifier === module || specifier.startsWith(`${module}/`)),
  );
  return own ?? rows.find((row) => specifier.startsWith("node:") && row.modules.includes("node:*"));
}

export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchesGlob(path, glob));
}

function inServer(globs: readonly string[]): readonly string[] {
  return globs.map((glob) => `${serverHome}/${glob}`);
}

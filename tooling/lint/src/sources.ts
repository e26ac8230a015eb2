import { globSync, readFileSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { packages } from "./layers.ts";

export interface Source {
  /** Relative to the repository, with forward slashes, as the tables name it. */
  readonly path: string;
  readonly text: string;
}

/** What users run: every source of a package or an app that is not a test. */
export function shippedSources(root: string): readonly Source[] {
  return readSources(
    root,
    Object.keys(packages).flatMap((home) => [`${home}/src/**/*.ts`, `${home}/src/**/*.tsx`]),
  ).filter(({ path }) => isShipped(path));
}

export function isShipped(path: string): boolean {
  return !path.endsWith(".test.ts");
}

/** Every TypeScript file of the repository, tests and tooling included. */
export function allSources(root: string): readonly Source[] {
  return readSources(root, ["{packages,apps,tooling,examples}/**/*.{ts,tsx}", "bench/**/*.ts", "*.ts"]);
}

function readSources(root: string, globs: readonly string[]): readonly Source[] {
  const home = realpathSync(root);
  const exclude = (name: string): boolean => /(^|[\\/])(node_modules|dist|fixtures)$/.test(name);
  const found = globSync([...globs], { cwd: home, exclude });
  return found.toSorted().map((path) => ({
    path: relative(home, join(home, path)).replaceAll(sep, "/"),
    text: readFileSync(join(home, path), "utf8"),
  }));
}

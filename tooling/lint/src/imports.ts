import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { findCycles } from "./cycles.ts";
import { bundled, loaders, packages } from "./layers.ts";
import { explainModule, explainReach, explainTypes } from "./messages.ts";
import { matchesAny, reachOf, rowOf, type Reach } from "./reach.ts";
import { readImports, type Import } from "./read-imports.ts";
import { isShipped, shippedSources } from "./sources.ts";

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/**
 * Checks the tables independently of oxlint. oxlint sees only the text of an import; this check resolves each import of
 * every shipped source to a real file, and applies the same tables.
 */
export function checkImports(root: string): readonly Violation[] {
  const sources = shippedSources(root);
  const unlisted = sources.filter(({ path }) => reachOf(path) === undefined);
  const imports = sources.flatMap(readImports);
  return [
    ...unlisted.map(({ path }) => ({
      file: path,
      line: 1,
      message: "has no layer, module or package in tooling/lint/src/layers.ts.",
    })),
    ...imports.flatMap((found) =>
      explain(root, found).map((message) => ({ file: found.file, line: found.line, message })),
    ),
    ...cycleViolations(root, imports),
  ];
}

function explain(root: string, found: Import): readonly string[] {
  const reach = reachOf(found.file);
  if (reach === undefined) return [];
  if (found.specifier === undefined) return explainComputed(found);
  if (found.specifier.startsWith(".")) return explainFile(root, found, reach);
  return [...explainOutside(found, found.specifier, reach), ...explainUndeclared(root, found.file, found.specifier)];
}

function explainComputed(found: Import): readonly string[] {
  return loaders.includes(found.file)
    ? []
    : ["An import names its module in a plain string (tooling/lint/src/layers.ts)."];
}

function explainFile(root: string, found: Import, reach: Reach): readonly string[] {
  const target = resolveFile(root, found);
  if (target === undefined) return [`${found.specifier} is no file.`];
  if (!isShipped(target)) return [`${target} is a test: it is not shipped.`];
  if (matchesAny(target, reach.files)) return [];
  if (!matchesAny(target, reach.types)) return [`${target} is out of reach: ${explainReach(reach)}`];
  return found.isTypeOnly ? [] : [explainTypes()];
}

function explainOutside(found: Import, specifier: string, reach: Reach): readonly string[] {
  if (reach.packages.includes(specifier)) return [];
  const whole = rowOf(specifier, "whole");
  if (whole === undefined) return [`${specifier} is out of reach: ${explainReach(reach)}`];
  const part = rowOf(specifier, "names");
  const isPartNamed = found.names.some((name) => name === "*" || part?.names?.includes(name));
  const rows = part !== undefined && isPartNamed && !found.isTypeOnly ? [whole, part] : [whole];
  return rows.filter((row) => !matchesAny(found.file, row.owners)).map(explainModule);
}

/**
 * A published package must bring what it imports, in its bundle or as a dependency: users do not get development
 * dependencies.
 */
function explainUndeclared(root: string, file: string, specifier: string): readonly string[] {
  if (specifier.startsWith("node:")) return [];
  const home = Object.keys(packages).find((candidate) => file.startsWith(`${candidate}/`)) ?? ".";
  const manifest = JSON.parse(readFileSync(join(root, home, "package.json"), "utf8")) as Manifest;
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  const inBundle = matchesAny(file, bundled) ? manifest.devDependencies : {};
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...inBundle };
  return name in declared ? [] : [`${name} is not among the dependencies of ${home}/package.json.`];
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function cycleViolations(root: string, imports: readonly Import[]): readonly Violation[] {
  const graph = new Map<string, string[]>();
  for (const found of imports) {
    const target = found.specifier?.startsWith(".") ? resolveFile(root, found) : undefined;
    if (target !== undefined) graph.set(found.file, [...(graph.get(found.file) ?? []), target]);
  }
  return findCycles(graph).map((cycle) => ({
    file: cycle[0] ?? "",
    line: 1,
    message: `Imports run in a ring: ${cycle.join(" -> ")}.`,
  }));
}

/** Resolves an import to the real file, with links followed, relative to the repository. */
function resolveFile(root: string, found: Import): string | undefined {
  const path = join(root, posix.dirname(found.file), found.specifier ?? "");
  return existsSync(path) ? relative(realpathSync(root), realpathSync(path)).replaceAll("\\", "/") : undefined;
}

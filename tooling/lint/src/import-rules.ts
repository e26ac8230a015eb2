import { basename, dirname, matchesGlob, relative } from "node:path/posix";
import type { OxlintOverride } from "oxlint";
import { layers, inFolder, narrowEntries, packages, features, serverHome, tableReaders } from "./layers.ts";
import { explainModule, explainReach, explainTypes } from "./messages.ts";
import { outsideModules, type OutsideModule } from "./outside.ts";
import { matchesAny, reachOf, type Reach } from "./reach.ts";

interface NameBan {
  readonly name: string;
  readonly importNames: string[];
  readonly message: string;
}

interface PatternBan {
  readonly regex?: string;
  readonly group?: string[];
  readonly allowTypeImports?: boolean;
  readonly message: string;
}

/**
 * Turns the tables into oxlint import bans. oxlint sees only the text of an import, and a later override replaces an
 * earlier one completely. So each scope, and then each file that a table names, gets its complete rule.
 */
export function importOverrides(): OxlintOverride[] {
  return scopes().flatMap((glob) => {
    const file = glob.replace("**/*", "any").replaceAll("*", "any");
    const reach = reachOf(file);
    if (reach === undefined) return [];
    const bans = { paths: nameBans(file), patterns: patternBans(file, reach) };
    return [{ files: [glob], rules: { "no-restricted-imports": ["error", bans] } }];
  });
}

/**
 * Lists the globs of the rules, general before specific: packages, modules, layers, then the files and folders that
 * have their own entry.
 */
function scopes(): readonly string[] {
  const otherPackages = Object.keys(packages).filter((home) => !serverHome.startsWith(home));
  const server = [
    ...Object.keys(features).flatMap((module) => inFolder(`features/${module}`)),
    ...Object.values(layers).flatMap((layer) => layer.files),
    ...Object.keys(features).flatMap((module) => tableReaders.map((reader) => `features/${module}/${reader}`)),
  ];
  const general = [
    ...otherPackages.flatMap((home) => [`${home}/src/**/*.ts`, `${home}/src/**/*.tsx`]),
    ...server.map((glob) => `${serverHome}/${glob}`),
  ];
  const particular = [...Object.values(narrowEntries).flat(), ...outsideModules.flatMap((row) => row.owners)];
  return [...new Set([...general, ...particular])];
}

function closedTo(file: string): readonly OutsideModule[] {
  return outsideModules.filter((row) => !matchesAny(file, row.owners));
}

function nameBans(file: string): NameBan[] {
  return closedTo(file).flatMap((row) => {
    if (row.names === undefined) return [];
    const importNames = [...row.names];
    return row.modules.map((name) => ({ name, importNames, message: explainModule(row) }));
  });
}

/** The order matters: oxlint stops once a group has allowed a specifier again. */
function patternBans(file: string, reach: Reach): PatternBan[] {
  const from = dirname(file);
  const modules = closedTo(file).filter((row) => row.names === undefined);
  const types = reach.types.map((glob) => `^${escapeForRegex(specifierOf(from, glob))}$`);
  const open = openSpecifiers(from, reach).map((specifier) => `!${specifier}`);
  return [
    ...modules.map((row) => ({ regex: regexOf(row), message: explainModule(row) })),
    ...types.map((regex) => ({ regex, allowTypeImports: true, message: explainTypes() })),
    { group: ["**", ...open], message: explainReach(reach) },
  ];
}

/** Allows every module with its own row in outside.ts, because the ban of that row has a better message. */
function openSpecifiers(from: string, reach: Reach): readonly string[] {
  const files = reach.files.flatMap((glob) => {
    if (glob.includes("**")) return ["./**", "../**"];
    // seen from `kernel/time`, `kernel/*/*.ts` also matches a file in the same folder
    const own = matchesGlob(from, dirname(glob)) ? [`./${basename(glob)}`] : [];
    return [specifierOf(from, glob), ...own];
  });
  const types = reach.types.map((glob) => specifierOf(from, glob));
  const outside = outsideModules.flatMap((row) => row.modules).flatMap((module) => [module, `${module}/**`]);
  return [...files, ...types, ...reach.packages, ...outside];
}

function regexOf(row: OutsideModule): string {
  const modules = row.modules.map((module) => (module === "node:*" ? "node:.*" : escapeForRegex(module)));
  return `^(?:${modules.join("|")})(?:/.*)?$`;
}

function specifierOf(from: string, target: string): string {
  const path = relative(from, target);
  return path.startsWith("..") ? path : `./${path}`;
}

function escapeForRegex(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

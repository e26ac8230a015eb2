import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Ambient, ambients } from "./ambients.ts";
import { config } from "./config.ts";
import { layers, packages, features } from "./layers.ts";
import { outsideModules } from "./outside.ts";
import { comparePlanted, plantedFiles, plantedProject } from "./planted.ts";

interface Finding {
  readonly filename: string;
  readonly code: string;
  readonly message: string;
  readonly help: string;
}

/** Runs oxlint once for the planted project, because a process takes longer than all of its files. */
const findings = lintPlantedProject();

describe("oxlint reports exactly the violations that each planted file declares", () => {
  test.each(plantedFiles("lint"))("$path", ({ path, expected }) => {
    const found = findings.filter(({ filename }) => filename === path).map(wording);
    expect(comparePlanted(expected, found)).toEqual({ missed: [], surprising: [] });
  });
});

describe("every ban has a planted violation", () => {
  const found = findings.map(wording);

  test.each(enabledRules())("rule %s", (rule) => {
    expect(findings.map(({ code }) => code)).toContain(rule);
  });

  test.each(outsideModules.flatMap(({ modules, names }) => names ?? modules))("outside module %s", (name) => {
    expect(found.some((text) => text.includes(`'${name.replace("*", "")}`))).toBe(true);
  });

  test.each(ambients.flatMap(ambientNames))("global %s", (name) => {
    expect(found.some((text) => text.includes(`'${name}'`))).toBe(true);
  });

  const server = [...Object.keys(layers), ...Object.keys(features).map((module) => `features/${module}`)];
  const others = Object.keys(packages).filter((home) => home !== "packages/server");
  test.each([...server, ...others])("reach of %s", (zone) => {
    expect(found.some((text) => text.includes(`${zone} may import only`))).toBe(true);
  });
});

function lintPlantedProject(): readonly Finding[] {
  const oxlint = fileURLToPath(new URL("bin/oxlint", import.meta.resolve("oxlint/package.json")));
  const options = ["--config", "oxlint.config.ts", "--format", "json"];
  const run = spawnSync(process.execPath, [oxlint, ...options], {
    cwd: plantedProject,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: Finding[] };
  return diagnostics;
}

function wording({ code, message, help }: Finding): string {
  return [code, message, help].join("\n");
}

function ambientNames({ globals = [], properties = [] }: Ambient): readonly string[] {
  return [...globals, ...properties.map(({ object, property }) => `${object}.${property}`)];
}

/** Lists the enabled rules as diagnostics name them: `eslint(max-params)`, `typescript(no-explicit-any)`. */
function enabledRules(): readonly string[] {
  const all = [config.rules, ...config.overrides.map(({ rules }) => rules)].flatMap((rules) =>
    Object.entries(rules ?? {}),
  );
  const enabled = all.filter(([, setting]) => setting !== "off").map(([name]) => name);
  return [...new Set(enabled)].map((name) => {
    const [plugin, rule] = name.split("/");
    return rule === undefined ? `eslint(${plugin})` : `${plugin}(${rule})`;
  });
}

import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

async function configured(toml: string) {
  const dir = await tempDir();
  await writeFile(join(dir.path, "config.toml"), toml);
  return {
    path: join(dir.path, "config.toml"),
    read: (wishes: object = {}, environment: Record<string, string> = {}) =>
      readConfig({ dataDir: dir.path, ...wishes }, environment),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test("a configuration says what the file says, and the command line has the last word", async () => {
  await using house = await configured('[log]\nlevel = "warn"\n[engine]\nmax_concurrent_runs = 3\n');
  expect(house.read()).toMatchObject({ logLevel: "warn", runsAtOnceMax: 3, paths: { config: house.path } });
  expect(house.read({ logLevel: "debug" }).logLevel).toBe("debug");
});

test("an empty configuration leaves the defaults", async () => {
  await using house = await configured("");
  const config = house.read();
  expect(config.logLevel).toBe("info");
  expect(config.runsAtOnceMax).toBeGreaterThanOrEqual(4);
  expect(config.zone).toMatch(/^\w+/);
});

test.each([
  ["an unknown section", "[serve]\nport = 1", 'at its top: Unrecognized key: "serve"'],
  ["an unknown key", '[log]\nlevel = "info"\ncolour = true', 'at log: Unrecognized key: "colour"'],
  ["a level there is not", '[log]\nlevel = "loud"', "at log.level: "],
  ["a number out of bounds", "[engine]\nmax_concurrent_runs = 0", "at engine.max_concurrent_runs: "],
  ["a text for a number", '[engine]\nmax_concurrent_runs = "4"', "at engine.max_concurrent_runs: "],
  ["a value for a section", "log = 3", "at log: "],
])("%s is told of with the key at fault", async (_what, toml, part) => {
  await using house = await configured(toml);
  expect(() => house.read()).toThrow(`the configuration ${house.path} has a mistake ${part}`);
});

test("what is no TOML is told of with its line", async () => {
  await using house = await configured('[log]\nlevel = "info"\nlevel = = 3\n');
  expect(() => house.read()).toThrow(
    new RegExp(`^the configuration ${house.path} is not valid TOML, line 3: [^\\n]*$`),
  );
});

test("a configuration that was named must be there", async () => {
  await using house = await configured("");
  expect(() => house.read({ config: `${house.path}.gone` })).toThrow(
    /^the configuration .*\.gone cannot be read: ENOENT/,
  );
});

test("a log level that there is not is told of with those there are", async () => {
  await using house = await configured("");
  expect(() => house.read({ logLevel: "all" })).toThrow("--log-level is one of debug, info, warn, error, not all");
});

test("the environment names places; what is empty there names nothing", () => {
  const { paths } = readConfig(
    {},
    { BELFRY_DATA_DIR: "/data", BELFRY_SOCKET: "/s", BELFRY_CONFIG: "", XDG_RUNTIME_DIR: "/run/user/7" },
  );
  expect(paths).toMatchObject({ dataDir: "/data", socket: "/s", config: null });
  expect(readConfig({ socket: "/named" }, { BELFRY_DATA_DIR: "/data", BELFRY_SOCKET: "/s" }).paths.socket).toBe(
    "/named",
  );
});

test("tasks start with the few names every program needs, and nothing else of the daemon's", async () => {
  await using house = await configured("");
  const kept = {
    PATH: "/bin",
    HOME: "/home/a",
    USER: "a",
    LOGNAME: "a",
    SHELL: "/bin/sh",
    LANG: "C",
    LC_ALL: "C",
    LC_TIME: "C",
    TZ: "UTC",
    TMPDIR: "/t",
  };
  const dropped = {
    BELFRY_SOCKET: "/s",
    NODE_OPTIONS: "--inspect",
    npm_config_x: "1",
    AWS_SECRET: "s",
    LC_: "x",
    XPATH: "x",
    lc_all: "x",
  };
  expect(house.read({}, { ...kept, ...dropped }).baseEnvironment).toEqual(kept);
  expect(house.read({}, kept).homeDirectory).toBe("/home/a");
});

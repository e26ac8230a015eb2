import { globSync, readFileSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tempDir, until } from "@belfry/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repository } from "../../scripts/run-command.ts";
import { run, start } from "./as-user.ts";
import { readMemberDocs } from "./member-docs.ts";
import { pack, type Packed } from "./pack.ts";
import { createUserProject } from "./user-project.ts";

// The packages as users get them: each is packed as for a release, and npm installs it outside of the workspace.

const libraries: Readonly<Record<string, readonly string[]>> = {
  "packages/webhook-schema": ["@belfry/webhook-schema", "@belfry/webhook-schema/testing"],
  "packages/contract": ["@belfry/contract", "@belfry/contract/remote"],
  "packages/client": ["@belfry/client", "@belfry/client/browser", "@belfry/client/local", "@belfry/client/remote"],
};
const published = [...Object.keys(libraries), "packages/server", "apps/cli"];
const entries = Object.values(libraries).flat();

const newestCompiler = join(repository, "node_modules/.bin/tsc");
const ownCommands = join(repository, "tooling/package-check/node_modules/.bin");
const oldestCompiler = join(ownCommands, "tsc");
const repositoryUrl = "https://github.com/belfry-dev/belfry";
/**
 * The maximum for the daemon, its database, its calls of the C library, the command and the keychain. Everything else is in
 * their bundles.
 */
const packagesMax = 8;
/** The maximum for all files of the screens together, before compression. */
const screensBytesMax = 3 * 1024 * 1024;

const scratch = await tempDir("belfry-packages-");
afterAll(() => scratch[Symbol.asyncDispose]());

const packed = new Map<string, Packed>();
beforeAll(async () => {
  for (const place of published) packed.set(place, await pack(place, scratch.path));
});

const tarballsOf = (places: readonly string[]): readonly string[] => places.map((place) => packed.get(place)!.tarball);

/** Packages that a project may have before it installs the libraries. */
const besides: Readonly<Record<string, () => readonly string[]>> = {
  "zod 3": () => ["zod@3"],
  "zod 4.0.0": () => ["zod@4.0.0"],
  "the newest zod": () => ["zod@latest"],
  "the lowest versions that the libraries accept": lowestDependencies,
};

test.each(Object.entries(besides))(
  "beside %s npm installs the libraries, they load, and a consumer compiles",

  async (_, packages) => {
    await using project = await createUserProject([...tarballsOf(Object.keys(libraries)), ...packages()]);
    const program = `for (const entry of ${JSON.stringify(entries)}) await import(entry);
    const { TaskCreate, WebhookPayload } = await import("@belfry/contract");
    const { fixtures } = await import("@belfry/webhook-schema/testing");
    console.log(WebhookPayload.parse(fixtures.success).task.name, TaskCreate.parse({ name: " Report " }).name);`;
    const loaded = await run(project.path, ["node", "--input-type=module", "--eval", program]);
    expect(loaded).toMatchObject({ exitCode: 0, output: "Nightly backup Report\n" });
    expect(await run(project.path, [newestCompiler])).toMatchObject({ exitCode: 0, output: "" });
  },
);

/** The lowest version of each range. npm gives the libraries the versions that the project already has. */
function lowestDependencies(): readonly string[] {
  const dependencies = Object.keys(libraries).flatMap((place) =>
    Object.entries(packed.get(place)!.manifest.dependencies ?? {}),
  );
  const ofOthers = dependencies.filter(([name]) => !name.startsWith("@belfry/"));
  return ofOthers.map(([name, range]) => `${name}@${range.replace("^", "")}`);
}

test("a consumer compiles with the oldest TypeScript that the READMEs name", async () => {
  await using project = await createUserProject([...tarballsOf(Object.keys(libraries)), "zod@latest"]);
  const { output } = await run(project.path, [oldestCompiler, "--version"]);
  const [, oldest = ""] = /(\d+\.\d+)\.\d+/.exec(output) ?? [];
  for (const place of Object.keys(libraries)) {
    expect(await readFile(join(packed.get(place)!.home, "README.md"), "utf8")).toContain(
      `TypeScript ${oldest} or newer`,
    );
  }
  expect(await run(project.path, [oldestCompiler])).toMatchObject({ exitCode: 0, output: "" });
});

test("an editor shows the description of each member that the API document describes", async () => {
  await using project = await createUserProject(tarballsOf(Object.keys(libraries)));
  const docs = readMemberDocs(project.path);
  expect(docs.filter(({ described, shown }) => !shown.startsWith(described))).toEqual([]);
  const members = docs.map(({ member }) => member);
  expect(members).toEqual(expect.arrayContaining(["Task.timeout", "TaskPatch.labels", "Run.reason_text"]));
  expect(members.length).toBeGreaterThan(150);
});

test("packing builds what is missing, so no package is packed without its build", async () => {
  const place = "packages/webhook-schema";
  await rm(join(repository, place, "dist/lib"), { recursive: true });
  await using folder = await tempDir("belfry-unbuilt-");
  const { home } = await pack(place, folder.path);
  const filesOf = (root: string) => globSync("dist/lib/**/*.*", { cwd: root }).toSorted();
  expect(filesOf(home)).toEqual(filesOf(packed.get(place)!.home));
  expect(filesOf(home)).toContain("dist/lib/index.js");
});

// a build that is restored from the cache does not remove what an earlier build has left
test.each([
  ["packages/webhook-schema", "packages/webhook-schema/dist/lib/former.js"],
  ["packages/server", "packages/server/dist/bundle/former.js"],
  ["apps/cli", "apps/cli/dist/bundle/former.js"],
  ["apps/cli", "apps/desktop/dist/assets/former.js"],
])("packing %s ships no file of another build, such as %s", async (place, left) => {
  await writeFile(join(repository, left), "");
  await using folder = await tempDir("belfry-left-");
  const { home } = await pack(place, folder.path);
  const filesOf = (root: string) => globSync("**/*.*", { cwd: root }).toSorted();
  expect(filesOf(home)).toEqual(filesOf(packed.get(place)!.home));
});

test("the receivers' package installs no other package", async () => {
  await using project = await createUserProject(tarballsOf(["packages/webhook-schema"]));
  const installed = globSync("node_modules/{*,@*/*}/package.json", { cwd: project.path });
  expect(installed).toEqual(["node_modules/@belfry/webhook-schema/package.json"]);
});

test("the command starts the daemon that is installed with it, and both install few packages", async () => {
  await using project = await createUserProject(tarballsOf(["packages/server", "apps/cli"]));
  const installed = globSync("node_modules/{*,@*/*}/package.json", { cwd: project.path });
  expect(installed.length).toBeLessThanOrEqual(packagesMax);

  const belfry = [join(project.path, "node_modules/.bin/belfry"), "--data-dir", join(project.path, "data")];
  await using daemon = start(project.path, [...belfry, "daemon", "run"]);
  const isUp = async () => (await run(project.path, [...belfry, "daemon", "status"])).exitCode === 0;
  await until("the daemon answers", isUp);
  expect(await run(project.path, [...belfry, "daemon", "stop"])).toMatchObject({ exitCode: 0 });
  expect(await daemon.ended).toMatchObject({ exitCode: 0 });
});

test("the command is packed with its screens, and serves them", async () => {
  const screens = join(packed.get("apps/cli")!.home, "dist/bundle/screens");
  const files = globSync("**/*.*", { cwd: screens });
  expect(files).toContain("index.html");
  expect(
    files.filter((file) => !/^(?:index\.html|icon\.svg|assets\/[^/]+-[\w-]{8}\.(?:js|css|woff2|svg))$/.test(file)),
  ).toEqual([]);
  const bytes = files.reduce((sum, file) => sum + readFileSync(join(screens, file)).byteLength, 0);
  expect(bytes).toBeLessThanOrEqual(screensBytesMax);

  await using project = await createUserProject(tarballsOf(["packages/server", "apps/cli"]));
  const program = join(project.path, "node_modules/.bin/belfry");
  const file = join(project.path, "ui.json");
  await writeFile(file, "");
  await using _ui = start(project.path, ["sh", "-c", 'exec "$0" ui --no-open --json > ui.json', program]);
  const printed = await until("the address", () => /"url": ?"([^"]+)"/.exec(readFileSync(file, "utf8"))?.[1]);
  const page = await (await fetch(`${printed}/`)).text();
  const [, script = ""] = /src="\.(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  expect((await fetch(printed + script)).headers.get("content-type")).toBe("text/javascript; charset=utf-8");
});

test("a program with the SDK enrols with the installed daemon, and calls it over TLS", async () => {
  await using project = await createUserProject(tarballsOf(published));
  const belfry = [join(project.path, "node_modules/.bin/belfry"), "--data-dir", join(project.path, "data")];
  await using daemon = start(project.path, [...belfry, "daemon", "run"]);
  const isUp = async () => (await run(project.path, [...belfry, "daemon", "status"])).exitCode === 0;
  await until("the daemon answers", isUp);
  const program = `import { createServer } from "node:net";
    import { connectLocal } from "@belfry/client/local";
    import { connectRemote, enrollRemote } from "@belfry/client/remote";
    const host = "127.0.0.1";
    const server = createServer();
    await new Promise((resolve) => server.listen(0, host, resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    const local = connectLocal({ socketPath: "data/belfry.sock" });
    await local.remote.enable({ host, port });
    const { invitation, phrase } = await local.pairings.create({ name: "Board", capability: "observe" });
    const client = connectRemote(JSON.parse(JSON.stringify(await enrollRemote({ invitation, phrase }))));
    await local.tasks.create({ name: "Nightly backup" });
    console.log((await client.tasks.list()).tasks[0].name, (await client.access.current()).capability);`;
  const ended = await run(project.path, ["node", "--input-type=module", "--eval", program]);
  expect(ended).toMatchObject({ exitCode: 0, output: "Nightly backup observe\n" });
  expect(await run(project.path, [...belfry, "daemon", "stop"])).toMatchObject({ exitCode: 0 });
  expect(await daemon.ended).toMatchObject({ exitCode: 0 });
});

describe.each(published)("the package of %s", (place) => {
  test("names its repository, its bug tracker and the Node versions that it needs", async () => {
    const { home, manifest } = packed.get(place)!;
    expect(await readdir(home)).toEqual(expect.arrayContaining(["LICENSE", "README.md"]));
    expect(manifest).toMatchObject({
      license: "MIT",
      homepage: `${repositoryUrl}/tree/main/${place}#readme`,
      bugs: `${repositoryUrl}/issues`,
      repository: { type: "git", url: `git+${repositoryUrl}.git`, directory: place },
      engines: { node: expect.stringMatching(/^>=\d+$/) },
    });
  });

  test("depends on ranges of versions, never on one version", () => {
    const { dependencies, peerDependencies } = packed.get(place)!.manifest;
    const versions = Object.values({ ...dependencies, ...peerDependencies });
    expect(versions.filter((version) => !/^\^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test("contains the sources of its source maps, and no tests", () => {
    const { home } = packed.get(place)!;
    const maps = globSync("**/*.map", { cwd: home });
    expect(maps.length > 0).toBe(place in libraries);
    const missing = maps.flatMap((map) => {
      const { sources } = JSON.parse(readFileSync(join(home, map), "utf8")) as { readonly sources: readonly string[] };
      return sources
        .map((source) => join(dirname(map), source))
        .filter((source) => globSync(source, { cwd: home }).length === 0);
    });
    expect(missing).toEqual([]);
    expect(globSync("**/*.test.*", { cwd: home })).toEqual([]);
  });

  test("passes publint", async () => {
    const { exitCode, output } = await run(scratch.path, [
      join(ownCommands, "publint"),
      "run",
      packed.get(place)!.tarball,
      "--strict",
    ]);
    expect(exitCode, output).toBe(0);
    expect(output).toContain("All good!");
  });
});

test.each(Object.keys(libraries))(
  "the types of %s are found wherever an ES module can be imported",

  async (place) => {
    const { tarball } = packed.get(place)!;
    const { exitCode, output } = await run(scratch.path, [
      join(ownCommands, "attw"),
      tarball,
      "--profile",
      "esm-only",
      "--format",
      "ascii",
    ]);
    expect(exitCode, output).toBe(0);
  },
);

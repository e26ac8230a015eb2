import { copyFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { runCommand } from "../../scripts/run-command.ts";
import { documentPath, home, runOwn } from "./linters.ts";

/** Each generator's command, for the folder that it writes into. */
const generators: Readonly<Record<string, (folder: string) => readonly [string, ...string[]]>> = {
  // by default the generator requires every member that has a default in requests
  "openapi-typescript": (folder) => [
    "openapi-typescript",
    documentPath,
    "--default-non-nullable=false",
    "--output",
    join(folder, "generated.ts"),
  ],
  "hey-api": (folder) => ["openapi-ts", "--input", documentPath, "--output", join(folder, "generated")],
};

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "preserve",
  allowImportingTsExtensions: true,
  types: [],
  noEmit: true,
};

test.each(Object.entries(generators))(
  "%s generates a client from the API document that a strict program can use",
  async (name, commandFor) => {
    await using dir = await tempDir();
    const [command, ...args] = commandFor(dir.path);
    const generated = await runOwn(command, args);
    expect(generated.exitCode, generated.output).toBe(0);

    await copyFile(join(home, "fixtures", `${name}.ts`), join(dir.path, "program.ts"));
    await symlink(join(home, "node_modules"), join(dir.path, "node_modules"));
    await writeFile(join(dir.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    expect(await runCommand("tsc", [], { cwd: dir.path })).toMatchObject({ exitCode: 0, output: "" });
  },
);

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../../scripts/run-command.ts";
import { run } from "./as-user.ts";

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Packed {
  readonly tarball: string;
  /** The tarball's content. */
  readonly home: string;
  readonly manifest: Manifest;
}

/** Packs a package of the workspace as a release does. Packing builds the package and what it depends on. */
export async function pack(place: string, folder: string): Promise<Packed> {
  const { name, version } = await readManifest(join(repository, place));
  const file = name.replace("@", "").replace("/", "-");
  const tarball = join(folder, `${file}-${version}.tgz`);
  const unpacked = join(folder, file);
  await runOrThrow(join(repository, place), ["npx", "pnpm@12", "pack", "--pack-destination", folder]);
  await mkdir(unpacked);
  await runOrThrow(unpacked, ["tar", "--extract", "--gzip", "--file", tarball]);
  const home = join(unpacked, "package");
  return { tarball, home, manifest: await readManifest(home) };
}

async function readManifest(home: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(home, "package.json"), "utf8")) as Manifest;
}

async function runOrThrow(folder: string, command: readonly string[]): Promise<void> {
  const { exitCode, output } = await run(folder, command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${output}`);
}

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

type Kind = (typeof kinds)[number];

interface Manifest extends Partial<Record<Kind, Readonly<Record<string, string>>>> {
  readonly private?: boolean;
}

/** An exact version in a published package would forbid its users every other one, even a fixed one. */
const published = ["catalog:ranges", "workspace:^"];
const developed = ["catalog:", "catalog:javascript-api", "workspace:*"];

/**
 * Finds versions outside the catalogs of pnpm-workspace.yaml, which contain each version once. Packages of the
 * workspace refer to each other without a version.
 */
export function findLooseVersions(root: string): readonly string[] {
  const manifests = globSync(
    ["package.json", "{packages,apps,tooling,examples}/*/package.json", "bench/package.json"],
    {
      cwd: root,
    },
  );
  return manifests.toSorted().flatMap((path) => {
    const manifest = JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest;
    return kinds.flatMap((kind) => {
      const allowed = manifest.private === true || kind === "devDependencies" ? developed : published;
      const loose = Object.entries(manifest[kind] ?? {}).filter(([, version]) => !allowed.includes(version));
      return loose.map(([name, version]) => `${path}: ${name} is ${version}, not ${allowed.join(" or ")}`);
    });
  });
}

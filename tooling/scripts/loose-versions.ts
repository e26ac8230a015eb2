import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

type Manifest = Partial<Record<(typeof kinds)[number], Readonly<Record<string, string>>>>;

/** Every version is written once, in the catalog of pnpm-workspace.yaml; packages of the workspace refer to each other. */
export function findLooseVersions(root: string): readonly string[] {
  const manifests = globSync(["package.json", "{packages,apps,tooling,examples}/*/package.json"], { cwd: root });
  return manifests.toSorted().flatMap((path) => {
    const manifest = JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest;
    const versions = kinds.flatMap((kind) => Object.entries(manifest[kind] ?? {}));
    const loose = versions.filter(([, version]) => version !== "catalog:" && version !== "workspace:*");
    return loose.map(([name, version]) => `${path}: ${name} is ${version}, not catalog: or workspace:*`);
  });
}

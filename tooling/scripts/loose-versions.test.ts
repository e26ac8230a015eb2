import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { findLooseVersions } from "./loose-versions.ts";

test("a version outside the catalogs is found in every list of dependencies", async () => {
  await using root = await tempDir();
  await writeManifest(root.path, "package.json", {
    private: true,
    devDependencies: { typescript: "catalog:", vitest: "5" },
  });
  await writeManifest(root.path, "packages/a/package.json", {
    dependencies: { zod: "^4.0.0", ky: "catalog:ranges", b: "workspace:^" },
    peerDependencies: { hono: "*" },
    devDependencies: { c: "workspace:*" },
  });
  expect(findLooseVersions(root.path)).toEqual([
    "package.json: vitest is 5, not catalog: or catalog:javascript-api or workspace:*",
    "packages/a/package.json: zod is ^4.0.0, not catalog:ranges or workspace:^",
    "packages/a/package.json: hono is *, not catalog:ranges or workspace:^",
  ]);
});

test("a published package that pins a version for its users is found", async () => {
  await using root = await tempDir();
  const dependencies = { zod: "catalog:", b: "workspace:*" };
  await writeManifest(root.path, "packages/published/package.json", { dependencies });
  await writeManifest(root.path, "examples/private/package.json", { private: true, dependencies });
  expect(findLooseVersions(root.path)).toEqual([
    "packages/published/package.json: zod is catalog:, not catalog:ranges or workspace:^",
    "packages/published/package.json: b is workspace:*, not catalog:ranges or workspace:^",
  ]);
});

async function writeManifest(root: string, path: string, manifest: object): Promise<void> {
  await mkdir(join(root, dirname(path)), { recursive: true });
  await writeFile(join(root, path), JSON.stringify(manifest));
}

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { findLooseVersions } from "./loose-versions.ts";

test("a version written anywhere but in the catalog is found, in whichever list it stands", async () => {
  await using root = await tempDir();
  await mkdir(join(root.path, "packages/a"), { recursive: true });
  await writeFile(
    join(root.path, "package.json"),
    JSON.stringify({ devDependencies: { typescript: "catalog:", vitest: "5" } }),
  );
  const manifest = { dependencies: { zod: "^4.0.0", b: "workspace:*" }, peerDependencies: { hono: "*" } };
  await writeFile(join(root.path, "packages/a/package.json"), JSON.stringify(manifest));
  expect(findLooseVersions(root.path)).toEqual([
    "package.json: vitest is 5, not catalog: or workspace:*",
    "packages/a/package.json: zod is ^4.0.0, not catalog: or workspace:*",
    "packages/a/package.json: hono is *, not catalog: or workspace:*",
  ]);
});

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { findBrokenReferences } from "./doc-refs.ts";

async function brokenIn(text: string): Promise<readonly string[]> {
  await using root = await tempDir();
  const files = {
    "packages/a/src/clock.ts": "",
    "packages/a/src/time/clock.ts": "",
    "docs/guide.md": "# The guide\n\n## What, and why?\n",
    "README.md": text,
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root.path, path)), { recursive: true });
    await writeFile(join(root.path, path), content);
  }
  return findBrokenReferences(root.path);
}

test("a missing path in backticks is found, also inside a command or with a placeholder", async () => {
  expect(
    await brokenIn("See `packages/a/src/gone.ts`, run `node packages/gone.ts`, or `packages/<name>/gone.ts`."),
  ).toEqual([
    "README.md: packages/a/src/gone.ts does not exist",
    "README.md: packages/gone.ts does not exist",
    "README.md: packages/<name>/gone.ts does not exist",
  ]);
});

test("a missing path below the sources of a package is found", async () => {
  expect(await brokenIn("`time/clock.ts` is there, `time/gone.ts` is not, `times/gone.ts` is no path.")).toEqual([
    "README.md: time/gone.ts does not exist",
  ]);
});

test("existing paths are accepted, with a line number, braces or a star too", async () => {
  expect(
    await brokenIn("`packages/a/src/clock.ts:12`, `packages/{a,b}/src/*.ts`, `./packages/a/`, `packages/a`."),
  ).toEqual([]);
});

test("words that are not paths of this repository are ignored", async () => {
  expect(
    await brokenIn("`and/or`, `/v1/tasks`, `text/event-stream`, `~/.config/belfry`, `packages/a/dist/index.js`."),
  ).toEqual([]);
});

test("a link to a missing file or heading is found", async () => {
  const links = "[a](docs/gone.md) [b](docs/guide.md#gone) [c](#gone) ![d](docs/gone.png)\n\n[e]: docs/gone.txt\n";
  expect(await brokenIn(links)).toEqual(
    ["docs/gone.md", "docs/guide.md#gone", "#gone", "docs/gone.png", "docs/gone.txt"].map(
      (target) => `README.md: ${target} does not exist`,
    ),
  );
});

test("links with a target and links to other sites are accepted", async () => {
  const links =
    "# Here\n\n[a](docs/guide.md) [b](docs/guide.md#what-and-why) [c](#here) [d](https://example.org/gone) [e](mailto:a@b)";
  expect(await brokenIn(links)).toEqual([]);
});

test("examples in fenced blocks are not references", async () => {
  expect(await brokenIn("```sh\n`packages/gone.ts` [a](gone.md)\n```\n")).toEqual([]);
});

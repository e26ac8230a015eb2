import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const kB = 1_000;
/** What the first page needs before it can be used, compressed. */
const firstLoadMax = 250 * kB;

const compressed = (path: string): number => gzipSync(readFileSync(join(screens, path))).length;

test("the first page loads within its budget, and nothing in it comes from elsewhere", () => {
  const page = readFileSync(join(screens, "index.html"), "utf8");
  const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThanOrEqual(3);
  for (const path of named) expect(path).toMatch(/^\.\/(?:assets\/)?[\w.-]+$/);
  const first = readdirSync(join(screens, "assets")).filter((file) => file.startsWith("now-"));
  expect(first.length).toBeGreaterThan(0);
  const bytes = [...named, ...first.map((file) => `assets/${file}`)].reduce((sum, path) => sum + compressed(path), 0);
  console.log(`first load: ${(bytes / kB).toFixed(0)} kB compressed, of ${firstLoadMax / kB} allowed`);
  expect(bytes).toBeLessThan(firstLoadMax);
});

test("the library of graphs is loaded by graphs alone", () => {
  const [entry] = readdirSync(join(screens, "assets")).filter((file) => /^index-.*\.js$/.test(file));
  expect(readFileSync(join(screens, "assets", entry!), "utf8")).not.toContain("react-flow__node");
  const others = readdirSync(join(screens, "assets")).filter((file) => file.startsWith("chain-graph-"));
  expect(others.length).toBeGreaterThan(0);
});

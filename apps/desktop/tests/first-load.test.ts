import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import { openScreens, useScreens } from "./support/open-screens.ts";

const screens = useScreens();
const kB = 1_000;
/** What the first page needs before it can be used, compressed. */
const firstLoadMax = 250 * kB;

const compressed = (path: string): number => gzipSync(readFileSync(join(screens, path))).length;

test("the first page loads within its budget, and nothing of it comes from elsewhere", async () => {
  await using daemon = await startDaemon();
  await daemon.call("POST", "/v1/tasks", { name: "Backup", command: { kind: "shell", script: "true" } });
  await using ui = await openScreens({ screens, socket: daemon.socketPath });
  const { page } = ui;
  await ui.go("/");
  await page.getByRole("heading", { name: "Now", level: 1 }).waitFor();
  await page.getByText("Backup").first().waitFor();
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const { origin } = new URL(page.url());
  expect(loaded.filter((name) => new URL(name).origin !== origin)).toEqual([]);
  const files = loaded.map((name) => new URL(name).pathname).filter((path) => path.startsWith("/assets/"));
  // the entry, the page, and their styles
  expect(files.length).toBeGreaterThanOrEqual(3);
  const bytes = [...files, "/index.html"].reduce((sum, path) => sum + compressed(path), 0);
  console.log(`first load: ${(bytes / kB).toFixed(0)} kB compressed, of ${firstLoadMax / kB} allowed`);
  expect(bytes).toBeLessThan(firstLoadMax);
});

test("the library of graphs is loaded by graphs alone", () => {
  const [entry] = readdirSync(join(screens, "assets")).filter((file) => /^index-.*\.js$/.test(file));
  expect(readFileSync(join(screens, "assets", entry!), "utf8")).not.toContain("react-flow__node");
  const others = readdirSync(join(screens, "assets")).filter((file) => file.startsWith("chain-graph-"));
  expect(others.length).toBeGreaterThan(0);
});

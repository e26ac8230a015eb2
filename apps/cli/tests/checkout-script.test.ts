import { tempDir } from "@belfry/test-kit";
import { execFile } from "node:child_process";
import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = join(import.meta.dirname, "../../../belfry");

/** A checkout whose Node prints what the script passes on, and a folder with a link to the script. */
async function makeCheckout() {
  const home = await tempDir();
  const root = join(home.path, "checkout");
  const bin = join(home.path, "bin");
  for (const folder of [join(root, "node_modules/node/bin"), bin]) await mkdir(folder, { recursive: true });
  await copyFile(script, join(root, "belfry"));
  await writeFile(
    join(root, "node_modules/node/bin/node"),
    '#!/bin/sh\necho "$BELFRY_CALLED_AS in ${BELFRY_DATA_DIR-the usual place}"\n',
    { mode: 0o755 },
  );
  await symlink(join(root, "belfry"), join(bin, "belfry"));
  const call = async (command: string, environment: Readonly<Record<string, string>> = {}): Promise<string> => {
    const env = { PATH: `${bin}:/usr/bin:/bin`, ...environment };
    return (await promisify(execFile)("/bin/sh", ["-c", command], { cwd: root, env })).stdout;
  };
  return { root, bin, call, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}

test("the command of a checkout keeps its data in the checkout, unless a data directory is given", async () => {
  await using checkout = await makeCheckout();
  expect(await checkout.call("./belfry")).toBe(`./belfry in ${checkout.root}/.belfry\n`);
  expect(await checkout.call("./belfry", { BELFRY_DATA_DIR: "/data" })).toBe("./belfry in /data\n");
});

test("a link to the command of a checkout is an installation: its data is where that of every installation is", async () => {
  await using checkout = await makeCheckout();
  expect(await checkout.call("belfry")).toBe("belfry in the usual place\n");
  expect(await checkout.call("belfry", { BELFRY_DATA_DIR: "/data" })).toBe("belfry in /data\n");
});

test("hints repeat a name that is in PATH, and otherwise the path that was typed", async () => {
  await using checkout = await makeCheckout();
  const { bin } = checkout;
  expect(await checkout.call("belfry")).toMatch(/^belfry in /);
  expect(await checkout.call(`${bin}/belfry`, { PATH: "/usr/bin:/bin" })).toMatch(`${bin}/belfry in `);
  expect(await checkout.call("../bin/belfry")).toMatch("../bin/belfry in ");
});

import { filesBelow } from "@belfry/test-kit";
import { execFile, spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accessToken, phrase } from "../../../packages/client/tests/fake-remote-daemon.ts";
import { newRemote } from "./machine.ts";
import { hasSecretService, newHome } from "./secret-service.ts";

const cli = join(import.meta.dirname, "..");
// inside the package, because the command finds the library of the keychain relative to its own files
const bundle = join(cli, "dist", `test-keychain-${process.pid}`);

beforeAll(() => promisify(execFile)(process.execPath, ["bundle.ts", bundle], { cwd: cli }));
afterAll(() => rm(bundle, { recursive: true, force: true }));

/** Runs the command as a process of its own: only that one uses the keychain of its user. */
async function run(words: readonly string[], environment: Readonly<Record<string, string>>, stdin = "") {
  const child = spawn(process.execPath, [join(bundle, "belfry.js"), ...words], { env: environment });
  child.stdin.end(stdin);
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

test.skipIf(!hasSecretService)("a profile is kept in the keychain, and no file contains its token", async () => {
  await using home = await newHome();
  await using remote = await newRemote();
  await using desktop = await home.login({ isLocked: false });
  const { environment } = desktop;
  expect(await run(["enroll", remote.invitation, "--name", "build"], environment, phrase)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("The profile is in the keychain\n"),
    stderr: "",
  });
  const file = join(home.path, ".config/belfry/profiles/build.json");
  const pointer = await readFile(file, "utf8");
  expect(JSON.parse(pointer)).toEqual({
    version: 1,
    store: "keychain",
    account: expect.stringMatching(/^profile-[0-9a-f-]{36}$/),
    credentialId: "crd_1",
  });
  const files = await filesBelow(home.path);
  expect(files).toContain(join(home.path, ".local/share/keyrings/login.keyring"));
  for (const path of files) expect(await readFile(path, "latin1")).not.toContain(accessToken);

  expect((await run(["--profile", "build", "manifest", "show"], environment)).code).toBe(0);
  expect(remote.daemon.seen.at(-1)!.headers.authorization).toBe(`Bearer ${accessToken}`);
  expect((await run(["profile", "edit", "build", "--capability", "observe"], environment)).code).toBe(0);
  expect((await run(["profile", "rename", "build", "other"], environment)).code).toBe(0);
  expect(JSON.parse((await run(["profile", "show", "other", "--json"], environment)).stdout)).toMatchObject({
    store: "keychain",
    capability: "observe",
  });

  expect((await run(["profile", "remove", "other"], environment)).code).toBe(0);
  // the keychain has forgotten it too
  await writeFile(file, pointer, { mode: 0o600 });
  expect(await run(["profile", "show", "build"], environment)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the keychain does not contain profile "build" any more'),
  });
});

test.skipIf(!hasSecretService)("a daemon cannot replace the profile of another one in the keychain", async () => {
  await using home = await newHome();
  await using remote = await newRemote();
  await using other = await newRemote();
  await using desktop = await home.login({ isLocked: false });
  const { environment } = desktop;
  await run(["enroll", remote.invitation, "--name", "build"], environment, phrase);
  const show = async () => (await run(["profile", "show", "build"], environment)).stdout;
  const before = await show();
  // both daemons answer with the same identity and the same ids
  expect((await run(["enroll", other.invitation, "--name", "other"], environment, phrase)).code).toBe(0);
  expect(await show()).toBe(before);
  expect((await run(["profile", "remove", "other"], environment)).code).toBe(0);
  expect(await show()).toBe(before);
  expect(before).toContain(remote.daemon.address);
});

test.skipIf(!hasSecretService)("a profile in a locked keychain is not used, but still listed", async () => {
  await using home = await newHome();
  await using remote = await newRemote();
  {
    await using desktop = await home.login({ isLocked: false });
    expect((await run(["enroll", remote.invitation, "--name", "build"], desktop.environment, phrase)).code).toBe(0);
  }
  const before = remote.daemon.seen.length;
  await using desktop = await home.login({ isLocked: true });
  expect(await run(["--profile", "build", "manifest", "show"], desktop.environment)).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/^belfry: the keychain of this system cannot be used: [^]*\nUnlock the keychain/m),
  });
  expect(remote.daemon.seen).toHaveLength(before);
  expect((await run(["profile", "list"], desktop.environment)).stdout).toMatch(
    /^build\t.*the keychain of this system/m,
  );
});

test("without a keychain, a profile is kept in a file, and the command says so", async () => {
  await using home = await newHome();
  await using remote = await newRemote();
  const enrolling = ["enroll", remote.invitation, "--name", "build"];
  // the phrase is not used up
  expect(await run([...enrolling, "--store", "keychain"], home.environment, phrase)).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(
      /the keychain of this system cannot be used: [^]*\nNothing was sent, so the phrase can still be used\. .* --store file\./,
    ),
  });
  expect(remote.daemon.seen).toEqual([]);
  const file = join(home.path, ".config/belfry/profiles/build.json");
  expect(await run(enrolling, home.environment, phrase)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`The profile is in ${file}\n`),
    stderr: "Note: this session has no keychain that can be used, so the profile is kept in a file\n",
  });
  expect(await readFile(file, "utf8")).toContain(accessToken);
  expect((await run(["--profile", "build", "manifest", "show"], home.environment)).code).toBe(0);
});

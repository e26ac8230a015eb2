import { tempDir } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { startBelfry } from "../belfry.ts";
import { callBelfry } from "../call.ts";

test("a backup is created, checked and restored, and never replaces a file", async () => {
  await using place = await tempDir("bf-");
  const [file, sealed, pass] = ["a.tar", "b.tar", "pass"].map((name) => join(place.path, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(pass, "correct horse\n");
  const dataDir = join(place.path, "restored");
  {
    await using belfry = await startBelfry();
    await belfry.text("task", "add", "Copy", "--every", "1h", "--", "true");
    await belfry.text("task", "add", "Told", "--", "echo", "told");
    expect((await belfry.call(["task", "run", "Told", "--follow"])).stdout).toBe("told\n");
    await belfry.call(["channel", "add", "Ops", "--endpoint-file", "-"], { stdin: "http://127.0.0.1:9/\n" });
    // a killed command left this
    const child = spawn("true");
    await once(child, "close");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").slice(0, 8);
    const abandoned = join(place.path, `.belfry-backup-${child.pid}-${boot}-1.part`);
    writeFileSync(abandoned, "");
    utimesSync(abandoned, 0, 0);

    const created = await belfry.call(["backup", "create", file, "--with-output"]);
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Wrote .*a.tar/) });
    expect(created.stderr).toMatch(/Without a passphrase, whoever can read this file can read every secret/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file);
    expect(await belfry.call(["backup", "create", file])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"a.tar" exists already/),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    // a link takes the name too, even if what it leads to is not mounted
    const dangling = join(place.path, "c.tar");
    symlinkSync("/nowhere/c.tar", dangling);
    expect(await belfry.call(["backup", "create", dangling])).toMatchObject({ code: 2 });
    unlinkSync(dangling);
    const quiet = await belfry.call(["backup", "create", sealed, "--passphrase-file", pass]);
    expect(quiet).toMatchObject({ code: 0, stderr: "" });
    expect(await belfry.text("backup", "check", file)).toMatch(/is sound: \d+ files/);
    expect((await belfry.call(["backup", "check", sealed])).stderr).toMatch(/The key is encrypted and was not checked/);
    expect(await belfry.text("backup", "check", sealed, "--passphrase-file", pass)).toMatch(/is sound/);
  }
  for (const action of [["check"], ["restore", "--data-dir", dataDir]])
    expect(await callBelfry(["backup", ...action, file, "--passphrase-file", pass])).toEqual({
      code: 1,
      stdout: "",
      stderr: "belfry: this backup is not sealed by a passphrase: leave out --passphrase-file\n",
    });
  const args = ["--data-dir", dataDir, "backup", "restore", sealed];
  expect(await callBelfry(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(/is encrypted: give/) });
  const restored = await callBelfry([...args, "--passphrase-file", pass]);
  expect(restored).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/starts held.*belfry --data-dir \S+ release --confirm/),
  });
  expect(readdirSync(place.path).toSorted()).toEqual(["a.tar", "b.tar", "pass", "restored"]);
  await using daemon = await startDaemon({ dataDir });
  const environment = { BELFRY_DATA_DIR: daemon.dataDir };
  expect((await callBelfry(["holds"], { environment })).stdout).toMatch(/all tasks.*restored from a backup/);
  // the sealed backup was made without output
  expect(await callBelfry(["run", "logs", "Told"], { environment })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(
      /The run wrote 5 B, which Belfry does not have any more\. The data comes from a backup/,
    ),
  });
  // a wait would have no end
  expect(await callBelfry(["channel", "test", "Ops", "--wait"], { environment })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/waits for the release of the hold \(dlv_.*[^]*belfry release --confirm/),
  });
  expect(await callBelfry(["release"], { environment })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /missing --confirm: the data was restored from a backup, and its original may still run/,
    ),
  });
  expect(await callBelfry(["hold", "--until", "1h"], { environment })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/--until cannot be set, because the data was restored from a backup/),
  });
  expect(await callBelfry(["release", "--confirm"], { environment })).toMatchObject({ code: 0 });
});

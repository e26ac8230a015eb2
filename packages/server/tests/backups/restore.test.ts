import { tempDir } from "@belfry/test-kit";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkBackup } from "../../src/features/backups/index.ts";
import { takeLock } from "../../src/kernel/files/lock-file.ts";
import { checkDatabase } from "../../src/kernel/storage/database-check.ts";
import { backUp, restore } from "../support/backups.ts";
import { startDaemon } from "../support/harness.ts";
import {
  getRun,
  listRuns,
  made2xx,
  makeTask,
  outputOf,
  runOnce,
  startRun,
  untilEnd,
  untilReady,
  untilState,
  waitFor,
} from "../support/tasks.ts";

test("a backup of a working daemon is restored with its secrets and output, and starts nothing until it is released", async () => {
  await using place = await tempDir("bf-");
  const marks = join(place.path, "marks");
  const file = join(place.path, "backup.tar");
  const go = join(place.path, "go");
  await using daemon = await startDaemon();
  const told = await runOnce(daemon, "echo told; echo $LEVEL", { environment: { LEVEL: "full" } });
  const work = await makeTask(daemon, `${waitFor(go)}; echo x >> '${marks}'`, { on_lost: "retry" });
  const running = await startRun(daemon, work);
  await untilState(daemon, running, "running");
  await backUp(daemon, file, { output: true });
  expect(await readdir(join(daemon.dataDir, "backup.tmp"))).toEqual([]);
  const { audit_events: events } = (await daemon.call("GET", "/v1/audit?operation=backups.create")).json;
  expect(events).toMatchObject([{ result: "allowed", changed_fields: [] }]);

  expect(await checkBackup({ file: file, passphrase: null })).toMatchObject({
    sealed: false,
    key_checked: true,
    with_output: true,
  });
  const dataDir = join(place.path, "restored");
  await restore(file, dataDir);
  expect([...checkDatabase(join(dataDir, "belfry.db"))].flatMap(({ problems }) => problems)).toEqual([]);
  {
    await using second = await startDaemon({ dataDir });
    expect((await second.call("GET", "/v1/holds")).json.holds).toMatchObject([{ cause: "restored", until: null }]);
    expect(await outputOf(second, told)).toBe("told\nfull\n");
    const environment = (await second.call("GET", `/v1/tasks/${told.task_id}/environment`)).json;
    expect(environment).toEqual({ environment: { LEVEL: "full" } });
    expect(await getRun(second, running)).toMatchObject({
      state: "failed",
      reason: "lost",
      reason_text: expect.stringMatching(/restored from a backup/),
    });
    expect((await second.call("POST", `/v1/tasks/${work.id}/run`)).status).toBe(409);
  }
  await using second = await startDaemon({ dataDir });
  expect((await second.call("GET", "/v1/holds")).json.holds).toMatchObject([{ cause: "restored" }]);
  await made2xx(second.call("POST", "/v1/release", { cause: "restored" }));
  await untilReady(second, work);
  expect(await listRuns(second, `task_id=${work.id}`)).toHaveLength(1);
  expect(existsSync(marks)).toBe(false);
  // the original still has its run
  await writeFile(go, "");
  expect((await untilEnd(daemon, running)).outcome).toBe("success");
  expect(await readFile(marks, "utf8")).toBe("x\n");
});

test("a passphrase seals the key: the archive does not contain it, and a wrong passphrase restores nothing", async () => {
  await using place = await tempDir("bf-");
  const file = join(place.path, "backup.tar");
  await using daemon = await startDaemon();
  await makeTask(daemon, ":", { environment: { A: "1" } });
  await backUp(daemon, file, { passphrase: "correct horse" });
  const key = await readFile(join(daemon.dataDir, "sealing.key"));
  expect((await readFile(file)).includes(key)).toBe(false);
  expect(await checkBackup({ file: file, passphrase: null })).toMatchObject({ sealed: true, key_checked: false });
  const dataDir = join(place.path, "restored");
  await expect(restore(file, dataDir)).rejects.toThrow(/is encrypted: give the passphrase/);
  await expect(restore(file, dataDir, "wrong horse")).rejects.toThrow(/the passphrase is wrong/);
  expect((await readdir(dataDir)).filter((name) => name !== "lock")).toEqual([]);
  await restore(file, dataDir, "correct horse");
  expect(await readFile(join(dataDir, "sealing.key"))).toEqual(key);
});

describe("nothing is restored", () => {
  test("from a file that is cut, changed or something else", async () => {
    await using place = await tempDir("bf-");
    const file = join(place.path, "backup.tar");
    {
      await using daemon = await startDaemon();
      await runOnce(daemon, "echo told");
      await backUp(daemon, file, { output: true });
    }
    const whole = await readFile(file);
    const dataDir = join(place.path, "restored");
    const broken = join(place.path, "broken.tar");
    const half = Math.floor(whole.length / 2 / 512) * 512;
    const changed = Buffer.from(whole);
    changed[half]! ^= 1;
    const cases = [
      whole.subarray(0, half),
      whole.subarray(0, half + 7),
      changed,
      Buffer.from("no archive"),
      Buffer.of(),
    ];
    for (const bytes of cases) {
      await writeFile(broken, bytes);
      await expect(checkBackup({ file: broken, passphrase: null })).rejects.toThrow(
        /damaged|cannot be read|is not a Belfry backup/,
      );
      await expect(restore(broken, dataDir)).rejects.toThrow(/damaged|cannot be read|is not a Belfry backup/);
      expect((await readdir(dataDir)).filter((name) => name !== "lock")).toEqual([]);
    }
    // wherever a copy ended, the message says so
    for (let end = 1; end < whole.length; end += 4_999) {
      await writeFile(broken, whole.subarray(0, end));
      await expect(checkBackup({ file: broken, passphrase: null })).rejects.toThrow(
        /is damaged: it (?:ends too early|is incomplete)|is not a Belfry backup/,
      );
    }
    await restore(file, dataDir);
  });

  test("into a directory with anything in it, or under a running daemon; an interrupted restore is repeated", async () => {
    await using place = await tempDir("bf-");
    const file = join(place.path, "backup.tar");
    const dataDir = join(place.path, "restored");
    {
      await using daemon = await startDaemon();
      await backUp(daemon, file);
      await expect(restore(file, daemon.dataDir)).rejects.toThrow(/is not empty/);
    }
    await mkdir(dataDir);
    await writeFile(join(dataDir, "letter"), "");
    await expect(restore(file, dataDir)).rejects.toThrow(/is not empty \(it contains letter\)/);
    await expect(restore(file, join(dataDir, "letter"))).rejects.toThrow(
      /letter cannot be used: a part of its path is a file/,
    );
    const interrupted = join(place.path, "interrupted");
    await mkdir(join(interrupted, "restore.tmp"), { recursive: true });
    await writeFile(join(interrupted, "sealing.key"), "half");
    await expect(startDaemon({ dataDir: interrupted })).rejects.toThrow(/a restore into .* was interrupted/);
    await restore(file, interrupted);
    await using daemon = await startDaemon({ dataDir: interrupted });
    expect((await daemon.call("GET", "/v1/holds")).json.holds).toHaveLength(1);
  });

  test("while a daemon tries to start in the directory, which adds nothing to it", async () => {
    await using place = await tempDir("bf-");
    const file = join(place.path, "backup.tar");
    {
      await using daemon = await startDaemon();
      await backUp(daemon, file);
    }
    const dataDir = join(place.path, "restored");
    await mkdir(dataDir);
    // as a restore does
    const lock = takeLock(join(dataDir, "lock"));
    await expect(startDaemon({ dataDir })).rejects.toThrow(/another Belfry daemon is using this data directory/);
    expect(await readdir(dataDir)).toEqual(["lock"]);
    lock.release();
    await restore(file, dataDir);
  });
});

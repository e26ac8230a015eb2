import { tempDir, until } from "@belfry/test-kit";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkBackup } from "../../src/features/backups/index.ts";
import { createLog, systemClock } from "../../src/index.ts";
import type { LogEntry } from "../../src/kernel/log/log.ts";
import { backUp } from "../support/backups.ts";
import { startDaemon } from "../support/harness.ts";
import { runOnce } from "../support/tasks.ts";

test("a backup without an output file that exists does not look complete; files in no place of output are left out", async () => {
  await using place = await tempDir("bf-");
  const logged: LogEntry[] = [];
  await using daemon = await startDaemon({ log: createLog(systemClock, "info", [(entry) => void logged.push(entry)]) });
  await runOnce(daemon, "echo kept");
  const kept = join(daemon.dataDir, "attempts", "kept");
  const folder = await until("kept output", async () => {
    if (!existsSync(kept)) return null;
    const [spread] = await readdir(kept);
    const [attempt] = spread === undefined ? [] : await readdir(join(kept, spread));
    return attempt === undefined ? null : join(kept, spread!, attempt);
  });
  const archive = join(place.path, "a.tar");
  await writeFile(join(kept, "stray"), "");
  // of an editor, and others that no restore takes; the pipe would keep a reader waiting
  await writeFile(join(folder, ".output.swp"), "");
  await mkdir(join(folder, "folder"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  // a link to itself cannot be opened, even by root
  const loop = join(folder, "loop");
  await symlink("loop", loop);
  await expect(backUp(daemon, archive, { output: true })).rejects.toThrow();
  expect(logged.find(({ level }) => level === "error")?.fields).toMatchObject({
    error: expect.stringMatching(/ELOOP.*loop/),
  });
  await rm(loop);
  await backUp(daemon, archive, { output: true });
  const names = execFileSync("tar", ["-tf", archive]).toString();
  expect(names).toContain(folder.slice(daemon.dataDir.length + 1));
  expect(names).toContain("files.json");
  expect(names).not.toMatch(/stray|swp|folder|pipe/);
  expect(await checkBackup({ file: archive, passphrase: null })).toMatchObject({ with_output: true });
});

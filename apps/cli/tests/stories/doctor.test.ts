import { until } from "@belfry/test-kit";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog, systemClock } from "../../../../packages/server/src/index.ts";
import { formatJsonLine } from "../../../../packages/server/src/kernel/log/log.ts";
import { changeRows } from "../../../../packages/server/tests/support/api.ts";
import { startBelfry } from "../belfry.ts";

/** A daemon with a log file, and `doctor` after what the daemon has logged so far. */
async function startLogged() {
  const lines: string[] = [];
  const log = createLog(systemClock, "info", [(entry) => void lines.push(formatJsonLine(entry))]);
  const belfry = await startBelfry({ log });
  return {
    ...belfry,
    logged: async (event: string): Promise<void> => {
      await until(`the line ${event}`, () => lines.some((line) => line.includes(`"event":"${event}"`)));
    },
    doctor: async () => {
      await writeFile(join(belfry.daemon.dataDir, "log", "belfry.log"), lines.join(""));
      return belfry.call(["doctor"], { columns: 1_000, environment: { NO_COLOR: "1" } });
    },
  };
}

test("doctor exits with 1 while a file is missing, and with 0 once the daemon or the user has put it back", async () => {
  await using belfry = await startLogged();
  const { dataDir } = belfry.daemon;
  expect(await belfry.doctor()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok +log +no warnings/m) });

  await rm(join(dataDir, "sealing.key"));
  await belfry.logged("storage.restored");
  const restored = await belfry.doctor();
  expect(restored.stdout).toMatch(/^warn +log +errors in the last 24 hours that are over: storage\.restored\. See /m);
  expect(restored.code).toBe(0);

  const database = join(dataDir, "belfry.db");
  await rename(database, `${database}.away`);
  await belfry.logged("storage.broken");
  const broken = await belfry.doctor();
  expect(broken.stdout).toMatch(/^ERROR +log +warnings or errors in the last 24 hours: storage\.broken\. /m);
  expect(broken.stdout).toMatch(/^ERROR +files +/m);
  expect(broken.code).toBe(1);

  await rename(`${database}.away`, database);
  await belfry.logged("storage.recovered");
  const back = await belfry.doctor();
  expect(back.stdout).toMatch(
    /^warn +log +errors in the last 24 hours that are over: storage\.restored, storage\.broken/m,
  );
  expect(back.code).toBe(0);
});

test("doctor says whether the daemon has found a change of the audit trail", async () => {
  await using belfry = await startLogged();
  expect((await belfry.doctor()).stdout).toMatch(/^ok +audit +.*; the trail is empty$/m);
  for (const name of ["One", "Two", "Three"]) await belfry.text("group", "add", name);
  expect((await belfry.doctor()).stdout).toMatch(/^ok +audit +.*; the newest record is 3$/m);
  changeRows(belfry.daemon, "DELETE FROM audit_events WHERE number = 2");
  const found = await belfry.doctor();
  expect(found.stdout).toMatch(
    /^ERROR +audit +the daemon found at .* run: belfry audit verify\. "If it does not verify"/m,
  );
  expect(found.code).toBe(1);
});

test("doctor asks for a restart if another version of the daemon is installed than runs", async () => {
  await using belfry = await startLogged();
  expect(await belfry.doctor()).toMatchObject({
    code: 0,
    // the daemon of the tests calls itself 1.4.0-test
    stdout: expect.stringMatching(
      /^warn +version +version 1\.4\.0-test runs, but version (\S+) is installed: restart the daemon to use \1$/m,
    ),
  });
});

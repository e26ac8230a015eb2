import { tempDir, until } from "@belfry/test-kit";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callSocket, endRunners, startDaemon } from "../support/harness.ts";
import {
  cancel,
  type Daemon,
  getRun,
  makeTask,
  startRun,
  untilEnd,
  untilReady,
  untilState,
  waitFor,
} from "../support/tasks.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { killSurvivors, survivorsOf } from "../support/processes/runners.ts";

test("a daemon that a task started survives the task's cancel, with its runs; other detached processes do not", async () => {
  await using place = await tempDir("bt-");
  await using bundle = await bundleDaemon();
  await using outer = await startDaemon();
  const dataDir = join(place.path, "inner");
  await using _cleared = {
    [Symbol.asyncDispose]: async () => {
      await killSurvivors(`PLACE=${place.path}`);
      await endRunners(dataDir);
    },
  };
  const script = `setsid -f sleep 600
    setsid -f '${process.execPath}' '${bundle.belfryd}' --data-dir '${dataDir}' > "$PLACE/said" 2>&1
    while :; do sleep 0.1; done`;
  const upgrade = await startRun(outer, await makeTask(outer, script, { environment: { PLACE: place.path } }));
  const inner: Daemon = {
    call: (method, path, body) => callSocket(join(dataDir, "belfry.sock"), { method, path, body }),
  };
  await until("the daemon that the task has started", async () =>
    inner.call("GET", "/v1/health").then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  const { pid } = JSON.parse(await readFile(join(dataDir, "daemon.json"), "utf8")) as { readonly pid: number };
  const task = await untilReady(inner, await makeTask(inner, waitFor(join(place.path, "go"))));
  const run = await startRun(inner, task);
  await untilState(inner, run, "running");
  const environ = readFileSync(`/proc/${pid}/environ`, "utf8");
  expect(environ).toContain(`PLACE=${place.path}`);
  expect(environ).not.toMatch(/BELFRY_(RUN_ID|ATTEMPT)=/);

  await cancel(outer, upgrade);
  await cancel(outer, upgrade);
  expect(await untilEnd(outer, upgrade)).toMatchObject({ state: "cancelled" });
  expect(await survivorsOf(`PLACE=${place.path}`)).toEqual([String(pid)]);
  expect((await getRun(inner, run)).state).toBe("running");
});

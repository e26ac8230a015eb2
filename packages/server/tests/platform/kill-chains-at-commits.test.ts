import { tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { made2xx } from "../support/tasks.ts";
import { link } from "../support/chains.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { expectAllStartedOnce } from "../support/processes/chain-checks.ts";
import { type DaemonProcess, startDaemonProcess } from "../support/processes/daemon-process.ts";
import { killAtEveryCommit } from "../support/processes/kill-at-every-commit.ts";
import { hasEveryRunEnded } from "../support/processes/kill-checks.ts";

test("a daemon that is killed before or after each of its commits starts each target of a run once", async () => {
  await using bundle = await bundleDaemon();
  await using dir = await tempDir("bk-");
  const options = { belfryd: bundle.belfryd, dataDir: join(dir.path, "data") };
  const beginning = await startDaemonProcess(options);
  const source = await layOut(beginning, dir.path);
  await beginning.kill();

  const kills = await killAtEveryCommit(options, (daemon) => livesThrough(daemon, options.dataDir, source));

  const { history, started } = await expectAllStartedOnce(options, dir.path);
  console.log(
    `kill-chains-at-commits: ${kills} kills, ${history.runs.length} runs, ${started} of them started by an end`,
  );
  // request, start and end of three consecutive runs are at least five commits, each with a kill before and after
  expect(kills).toBeGreaterThanOrEqual(10);
  expect(started).toBeGreaterThan(kills / 2);
});

/** A source with a target that has a target itself, each as short as possible. */
async function layOut(daemon: DaemonProcess, folder: string): Promise<string> {
  const environment = { LEDGER: join(folder, "ledger") };
  await writeFile(environment.LEDGER, "");
  const script = 'echo "$BELFRY_RUN_ID.$BELFRY_ATTEMPT" >> "$LEDGER"';
  const make = (name: string) =>
    made2xx(
      daemon.call("POST", "/v1/tasks", {
        name,
        command: { kind: "shell", script },
        environment,
        concurrency: { limit: 10 },
      }),
    );
  const [source, middle, end] = [await make("source"), await make("middle"), await make("end")];
  await link(daemon, source, middle);
  await link(daemon, middle, end, { on_outcome: "any" });
  return source.id as string;
}

/** Requests a run of the source; returns whether the daemon recorded the last end that follows from it. */
async function livesThrough(daemon: DaemonProcess, dataDir: string, source: string): Promise<boolean> {
  if (!(await daemon.ready())) return false;
  const isThrough = async (): Promise<boolean> => {
    await daemon.call("POST", `/v1/tasks/${source}/run`);
    await until("the end of every run", () => hasEveryRunEnded(dataDir));
    return true;
  };
  // an interrupted call means that the daemon is gone
  return Promise.race([daemon.ended.then(() => false), isThrough().catch(() => daemon.ended.then(() => false))]);
}

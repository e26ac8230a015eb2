import { until } from "@belfry/test-kit";
import { readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readClaim } from "../../src/runner/claims/claim.ts";
import { claimFolder } from "../../src/runner/places.ts";
import { chooseCgroup } from "../../src/runner/processes/own-cgroup.ts";
import { hasCgroups } from "../support/processes/has-cgroups.ts";
import { makePlace, shell, startRunner } from "../support/processes/runner-process.ts";

/** Returns the folder of a process's cgroup. */
async function cgroupOf(pid: number): Promise<string> {
  return chooseCgroup(await readFile(`/proc/${pid}/cgroup`, "utf8"), await readFile("/proc/self/mountinfo", "utf8"))!;
}

/** Removes every cgroup below this one in which no process is. */
async function removeEmpty(base: string): Promise<void> {
  const entries = await readdir(base, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  await Promise.allSettled(folders.map(({ name }) => rmdir(join(base, name))));
}

test.skipIf(!hasCgroups())(
  "a cancel ends no other run, though somebody has removed all empty cgroups of the runner while it ran",
  async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    const cgroupIn = async (name: string): Promise<string | null> =>
      (await readClaim(claimFolder(place.dataDir, name)))!.cgroup;
    const start = async (name: string): Promise<number> => {
      daemon.start(name, shell(place, name, 'until [ -e "$NOTES/go" ]; do sleep 0.05; done'));
      return (await daemon.waitFor("started", name)).pid;
    };
    const log = join(place.dataDir, "log", "runner.log");
    const hasFailed = async (): Promise<boolean> =>
      (await readFile(log, "utf8").catch(() => "")).includes('"cgroups.failed"');
    /** Whether the runner could not move on after the start in this cgroup; null while it is not known. */
    const isStuck = async (cgroup: string): Promise<boolean | null> => {
      const present = await cgroupOf(runner.child.pid!);
      if (present === join(dirname(cgroup), "home")) return true;
      if (present !== cgroup) return false;
      return (await hasFailed()) ? true : null;
    };
    let made = 0;
    // the runner has cgroups for its next starts only a moment after a start: until then it can move on
    const stuck = await until("a start after which the runner cannot move on", async () => {
      await removeEmpty(dirname(await cgroupOf(runner.child.pid!)));
      const name = `a${made++}`;
      await start(name);
      const cgroup = (await cgroupIn(name))!;
      const seen = await until("the runner has moved on, or could not", async () => {
        const found = await isStuck(cgroup);
        return found === null ? null : { found };
      });
      if (seen.found) return { name, cgroup };
      daemon.cancel(name, 0);
      await daemon.end(name);
      return null;
    });
    const other = await start("other");
    expect(await cgroupOf(other)).not.toBe(stuck.cgroup);
    daemon.cancel(stuck.name, 0);
    expect(await daemon.end(stuck.name)).toMatchObject({ cause: "cancelled" });
    await writeFile(join(place.notes, "go"), "");
    expect(await daemon.end("other")).toMatchObject({ cause: "exit", exitCode: 0 });
  },
);

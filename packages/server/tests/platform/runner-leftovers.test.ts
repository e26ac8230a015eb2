import { until } from "@belfry/test-kit";
import { type Dirent, existsSync } from "node:fs";
import { readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { readClaim } from "../../src/runner/claims/claim.ts";
import { claimFolder } from "../../src/runner/places.ts";
import { listMembers, removeCgroup } from "../../src/runner/processes/cgroup.ts";
import { chooseCgroup } from "../../src/runner/processes/own-cgroup.ts";
import { hasCgroups, withoutCgroups } from "../support/processes/has-cgroups.ts";
import { escaped, leavers, leaving, leftIn } from "../support/processes/leavers.ts";
import { makePlace, type Place, shell, startRunner } from "../support/processes/runner-process.ts";

function killing(
  place: Place,
  script: string,
  { attempt = "a", ...more }: Readonly<Record<string, unknown>> & { attempt?: string } = {},
) {
  const spec = shell(place, attempt, script, { leftovers: "kill", graceMs: 300, ...more });
  return { ...spec, environment: { ...spec.environment, PLACE: place.notes } };
}

async function readClaimOf(place: Place, attempt: string) {
  return (await readClaim(claimFolder(place.dataDir, attempt)))!;
}

/** Returns the folder of a process's cgroup. */
async function cgroupOf(pid: number): Promise<string> {
  return chooseCgroup(await readFile(`/proc/${pid}/cgroup`, "utf8"), await readFile("/proc/self/mountinfo", "utf8"))!;
}

const worlds = [["without cgroups", withoutCgroups] as const, ...(hasCgroups() ? [["in cgroups", []] as const] : [])];

describe.each(worlds)("%s", (_, through) => {
  test.each(Object.entries(leavers))("%s ends with its task, whose exit code stays", async (__, leaver) => {
    await using place = await makePlace();
    await using runner = await startRunner(place, { through });
    const daemon = await runner.connect();
    daemon.start("a", killing(place, leaving([leaver], 3)));
    expect(await daemon.end("a")).toMatchObject({ cause: "exit", exitCode: 3, signal: null });
    expect(await leftIn(place.notes)).toEqual([]);
  });
});

test("by default what a task leaves keeps running", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start("a", killing(place, leaving(Object.values(leavers), 0), { leftovers: undefined }));
  expect(await daemon.end("a")).toMatchObject({ cause: "exit", exitCode: 0, detail: null });
  const left = await leftIn(place.notes);
  expect(left).toHaveLength(Object.values(leavers).length);
  for (const { pid } of left) process.kill(pid, "SIGKILL");
});

test("the exit is in the claim before the first signal, and the duration ends with it", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const leaver = `sh -c 'trap "cat $CLAIM/claim > $0/seen; sleep 0.6; exit" TERM; echo $$ >> "$0/pids"; while :; do sleep 0.05; done' "$PLACE" &`;
  daemon.start("a", killing(place, leaving([leaver], 0), { graceMs: 120_000 }));
  const end = await daemon.end("a");
  expect(await readFile(join(place.notes, "seen"), "utf8")).toContain(
    '{"attempt":"a","exit":{"exitCode":0,"signal":null,',
  );
  expect(end.endedAt - end.exitedAt!).toBeGreaterThan(590);
  expect(end.durationMs).toBeLessThan(end.endedAt - end.startedAt! - 500);
});

test("a cancel while leftovers are ended skips the rest of their grace, and the exit stays", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start("a", killing(place, leaving([leavers["a process that ignores TERM"]], 0), { graceMs: 3_600_000 }));
  await daemon.waitFor("started", "a");
  const claim = join(claimFolder(place.dataDir, "a"), "claim");
  await until("the exit is noted", async () => (await readFile(claim, "utf8")).includes('"exit"'));
  daemon.cancel("a", 0);
  expect(await daemon.end("a")).toMatchObject({ cause: "exit", exitCode: 0 });
  expect(await leftIn(place.notes)).toEqual([]);
});

describe.skipIf(!hasCgroups())("in cgroups", () => {
  test("nothing survives, whatever it does to escape, and the cgroup is removed", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    daemon.start("a", killing(place, leaving([escaped, escaped, ...Object.values(leavers)], 0)));
    await daemon.waitFor("started", "a");
    const { cgroup } = await readClaimOf(place, "a");
    expect(await daemon.end("a")).toMatchObject({ cause: "exit", exitCode: 0, detail: null });
    expect(await leftIn(place.notes)).toEqual([]);
    await until("no cgroup", () => !existsSync(cgroup!));
  });

  test("a runner that prepares for starts leaves its unused cgroup, which is removed", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    const unused = new Set<string>();
    const used = new Set<string>();
    for (const attempt of ["b", "c"]) {
      const current = (): Promise<string> => cgroupOf(runner.child.pid!);
      const left = await until("it is alone", async () => [await current()].find((cgroup) => !used.has(cgroup)));
      unused.add(left);
      await until("it has moved on", async () => {
        daemon.send({ do: "prepare" });
        return (await current()) !== left;
      });
      daemon.start(attempt, killing(place, "until [ -e ../notes/end ]; do sleep 0.02; done", { attempt }));
      await daemon.waitFor("started", attempt);
      used.add((await readClaimOf(place, attempt)).cgroup!);
    }
    expect([used.size, unused.size, used.union(unused).size]).toEqual([2, 2, 4]);
    await until("the unused ones are gone", () => [...unused].every((cgroup) => !existsSync(cgroup)));
    for (const attempt of ["b", "c"]) daemon.cancel(attempt, 0);
    for (const attempt of ["b", "c"]) expect(await daemon.end(attempt)).toMatchObject({ cause: "cancelled" });
    await until("theirs are gone", () => [...used].every((cgroup) => !existsSync(cgroup)));
  });

  test("attempts go on after somebody has removed the empty cgroups", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    const runAlone = async (attempt: string): Promise<void> => {
      daemon.start(attempt, killing(place, "exit 0", { attempt }));
      expect(await daemon.end(attempt)).toMatchObject({ cause: "exit", exitCode: 0 });
    };
    daemon.start("first", killing(place, "exit 0", { attempt: "first" }));
    await daemon.waitFor("started", "first");
    const used = (await readClaimOf(place, "first")).cgroup!;
    expect(await daemon.end("first")).toMatchObject({ cause: "exit", exitCode: 0 });
    const base = dirname(used);
    // those that are created ahead come a moment after the first start
    const removed = await until("a cgroup that was created ahead is removed", async () => {
      const busy = [used, await cgroupOf(runner.child.pid!)];
      const others = (await readdir(base)).filter((name) => /^\d+$/.test(name) && !busy.includes(join(base, name)));
      const results = await Promise.allSettled(others.map((name) => rmdir(join(base, name))));
      return results.filter(({ status }) => status === "fulfilled").length || null;
    });
    expect(removed).toBeGreaterThan(0);
    for (const attempt of ["second", "third", "fourth"]) await runAlone(attempt);
  });

  test("a cancel and a timeout end what has escaped before", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    const stays = `${escaped}\nuntil [ -s "$PLACE/pids" ]; do sleep 0.02; done; echo up; sleep 600`;
    const { environment, ...spec } = killing(place, stays, { leftovers: undefined, graceMs: 0 });
    daemon.start("a", { ...spec, environment });
    daemon.start("b", {
      ...spec,
      environment: { ...environment, BELFRY_RUN_ID: `run_b_${place.notes}` },
      timeoutMs: 3_000,
    });
    // on a busy machine, the limit may end one of them first
    const noted = (): Promise<string> => readFile(join(place.notes, "pids"), "utf8").catch(() => "");
    await until("both have escaped", async () => (await noted()).trim().split("\n").length >= 2);
    daemon.cancel("a", 0);
    expect(await daemon.end("a")).toMatchObject({ cause: "cancelled" });
    expect(await daemon.end("b")).toMatchObject({ cause: "timeout" });
    expect(await leftIn(place.notes)).toEqual([]);
  });

  test("a task that forks anew every few milliseconds is gone after a cancel", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    // each process starts the next one in a session of its own, and exits
    const body =
      'echo $$ > "$0/pids"; sleep 0.003; [ -e "$0/stop" ] || exec env -i PATH="$PATH" setsid -f sh "$0/hop" "$0"';
    const hop = body.replaceAll("$0", "$1");
    daemon.start(
      "a",
      killing(place, `printf '%s' '${hop}' > "$PLACE/hop"; sh "$PLACE/hop" "$PLACE"; sleep 600`, {
        leftovers: undefined,
        graceMs: 0,
      }),
    );
    await until("it forks", () => existsSync(join(place.notes, "pids")));
    daemon.cancel("a", 0);
    expect(await daemon.end("a")).toMatchObject({ cause: "cancelled", detail: null });
    const last = await readFile(join(place.notes, "pids"), "utf8");
    await setTimeout(200);
    expect(await readFile(join(place.notes, "pids"), "utf8")).toBe(last);
  });

  test("each attempt has its own cgroup, and the runner is in none of them", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    const attempts = Array.from({ length: 40 }, (_, index) => `n${index}`);
    for (const attempt of attempts)
      daemon.start(attempt, shell(place, attempt, 'until [ -e "$NOTES/go" ]; do sleep 0.1; done'));
    const pids = new Map<string, number>();
    for (const attempt of attempts) pids.set(attempt, (await daemon.waitFor("started", attempt)).pid);
    const cgroups = new Set<string>();
    for (const attempt of attempts) {
      const { cgroup } = await readClaimOf(place, attempt);
      cgroups.add(cgroup!);
      expect(listMembers(cgroup!).map(({ pid }) => pid)).toContain(pids.get(attempt));
      expect(listMembers(cgroup!).map(({ pid }) => pid)).not.toContain(runner.child.pid);
    }
    expect(cgroups.size).toBe(attempts.length);
    await writeFile(join(place.notes, "go"), "");
    for (const attempt of attempts) expect(await daemon.end(attempt)).toMatchObject({ cause: "exit", exitCode: 0 });
    await until("no cgroups", () => [...cgroups].every((cgroup) => !existsSync(cgroup)));
  });

  test("what goes on keeps its cgroup, and a runner that leaves removes the others", async () => {
    await using place = await makePlace();
    await using runner = await startRunner(place);
    const daemon = await runner.connect();
    daemon.start("a", killing(place, leaving([escaped], 0), { leftovers: undefined }));
    await daemon.waitFor("started", "a");
    const { cgroup } = await readClaimOf(place, "a");
    await daemon.end("a");
    const [left] = await leftIn(place.notes);
    expect(listMembers(cgroup!).map(({ pid }) => pid)).toContain(left!.pid);
    daemon.send({ do: "forget", attempt: "a" });
    daemon.close();
    await until("the runner has left", () => runner.child.exitCode !== null);
    expect(await readdir(dirname(cgroup!), { withFileTypes: true })).toSatisfy((entries: Dirent[]) =>
      entries.filter((entry) => entry.isDirectory()).every(({ name }) => name === basename(cgroup!)),
    );
    process.kill(left!.pid, "SIGKILL");
    await until("it can be removed", () => removeCgroup(dirname(cgroup!)));
  });
});

test("without a cgroup the end says what it does not prove", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place, { through: withoutCgroups });
  const daemon = await runner.connect();
  daemon.start("a", killing(place, leaving([escaped], 0)));
  const { exitCode, detail } = await daemon.end("a");
  expect(exitCode).toBe(0);
  expect(detail).toMatch(/^the run had no cgroup, so a background process .* may remain$/);
  for (const { pid } of await leftIn(place.notes)) process.kill(pid, "SIGKILL");
});

test.each<readonly [what: string, limit: object, isStopped: boolean]>([
  ["a cancel", {}, true],
  ["a time limit", { timeoutMs: 200 }, true],
  ["an exit", {}, false],
])(
  "without a cgroup %s says what it does not prove only if the processes were ended",
  async (what, limit, isStopped) => {
    await using place = await makePlace();
    await using runner = await startRunner(place, { through: withoutCgroups });
    const daemon = await runner.connect();
    daemon.start("a", killing(place, isStopped ? "sleep 600" : ":", { leftovers: undefined, ...limit }));
    await daemon.waitFor("started", "a");
    if (what === "a cancel") daemon.send({ do: "cancel", attempt: "a", cause: "cancelled", graceMs: 0 });
    const { detail } = await daemon.end("a");
    if (isStopped) expect(detail).toMatch(/^the run had no cgroup, so a background process .* may remain$/);
    else expect(detail).toBeNull();
  },
);

test.skipIf(!hasCgroups())("in a cgroup a cancel leaves nothing to say", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start("a", killing(place, "sleep 600", { leftovers: undefined }));
  await daemon.waitFor("started", "a");
  daemon.send({ do: "cancel", attempt: "a", cause: "cancelled", graceMs: 0 });
  expect(await daemon.end("a")).toMatchObject({ cause: "cancelled", detail: null });
});

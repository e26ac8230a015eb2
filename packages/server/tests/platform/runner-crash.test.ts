import { until } from "@belfry/test-kit";
import { mkdir, readdir, readFile, rename, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newRunnerId } from "../../src/kernel/ids.ts";
import { systemClock } from "../../src/kernel/time/clock.ts";
import { isRunnerAlive, readClaim, readEnd } from "../../src/runner/claims/claim.ts";
import { Claims } from "../../src/runner/claims/claims.ts";
import { stopLeftovers } from "../../src/runner/processes/leftovers.ts";
import { Scanner } from "../../src/runner/processes/scanner.ts";
import { claimFolder, runnerPlaces, runnersFolder } from "../../src/runner/places.ts";
import { isRunning, readStat } from "../../src/runner/processes/processes.ts";
import { makePlace, type Place, shell, startRunner } from "../support/processes/runner-process.ts";
import { survivorsOf } from "../support/processes/runners.ts";

const untilGo = 'until [ -e "$NOTES/go" ]; do sleep 0.02; done';

const readNote = (place: Place, name: string): Promise<string> =>
  until(name, async () => {
    const text = await readFile(join(place.notes, name), "utf8").catch(() => "");
    return text.endsWith("\n") ? text : null;
  });

const how = { clock: systemClock, scanner: new Scanner(systemClock) };

test("processes that a killed runner left are found by their claim and ended, however they tried to escape", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const script = `trap '' TERM
    (setsid sh -c 'trap "" TERM; echo $$ > "$NOTES/marked"; while :; do sleep 0.05; done' > /dev/null 2>&1 &)
    setsid env -i PATH="$PATH" NOTES="$NOTES" sh -c 'echo $$ > "$NOTES/unmarked"; while :; do sleep 0.05; done' &
    ${untilGo}`;
  daemon.start("a", shell(place, "a", script, { graceMs: 200 }));
  const { pid } = await daemon.waitFor("started", "a");
  const left = [pid, Number(await readNote(place, "marked")), Number(await readNote(place, "unmarked"))].map((each) =>
    readStat(each)!,
  );
  const folder = claimFolder(place.dataDir, "a");
  expect(isRunnerAlive((await readClaim(folder))!)).toBe(true);
  await runner.kill();

  const claim = (await readClaim(folder))!;
  expect(claim).toMatchObject({ runner: { id: "r1" }, process: { pid }, cause: null });
  expect(isRunnerAlive(claim)).toBe(false);
  expect(await readEnd(folder)).toBeNull();
  expect(left.map(isRunning)).toEqual([true, true, true]);
  expect(await stopLeftovers(claim, how).ended).toEqual({ remaining: [] });
  expect(left.map(isRunning)).toEqual([false, false, false]);
  expect(await survivorsOf(place.notes)).toEqual([]);
});

test("a claim of another boot names no running process", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start("a", shell(place, "a", untilGo));
  await daemon.waitFor("started", "a");
  const claim = (await readClaim(claimFolder(place.dataDir, "a")))!;
  const older = { ...claim, runner: { ...claim.runner, bootId: "another" } };
  expect(isRunnerAlive(older)).toBe(false);
  expect(await stopLeftovers(older, how).ended).toEqual({ remaining: [] });
  await writeFile(join(place.notes, "go"), "");
  expect(await daemon.end("a")).toMatchObject({ cause: "exit", exitCode: 0 });
});

test("the claim is created before the process starts, and no other runner starts a claimed attempt", async () => {
  await using place = await makePlace();
  await using first = await startRunner(place);
  const before = await first.connect();
  const claimed = join(claimFolder(place.dataDir, "a"), "claim");
  before.start("a", shell(place, "a", `[ -s ${claimed} ] && echo claimed`));
  expect(await before.end("a")).toMatchObject({ cause: "exit", exitCode: 0 });
  // as if the runner had died between the claim and the start
  const { runner } = (await readClaim(claimFolder(place.dataDir, "a")))!;
  new Claims(place.dataDir, runner).make("b", { mark: null, graceMs: 0 })!.close();
  await first.kill();

  await using second = await startRunner(place, { id: "r2" });
  const after = await second.connect();
  after.start("b", shell(place, "b", 'echo ran > "$NOTES/ran"'));
  expect(await after.waitFor("refused", "b")).toMatchObject({ why: "claimed" });
  expect(await readClaim(claimFolder(place.dataDir, "b"))).toMatchObject({ runner: { id: "r1" }, process: null });
  expect(await readdir(place.notes)).not.toContain("ran");
});

test("ends that no daemon received are reported on every list until they are forgotten", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const first = await runner.connect();
  for (const attempt of ["a", "b"]) first.start(attempt, shell(place, attempt, `${untilGo}; exit 4`));
  for (const attempt of ["a", "b"]) await first.waitFor("started", attempt);
  first.close();
  await writeFile(join(place.notes, "go"), "");
  for (const attempt of ["a", "b"]) await until("end", () => readEnd(claimFolder(place.dataDir, attempt)));
  for (let time = 0; time < 2; time++) {
    const daemon = await runner.connect();
    await daemon.untilEndsListed();
    const listed = await daemon.list();
    expect(listed).toHaveLength(2);
    for (const attempt of ["a", "b"])
      expect(listed).toContainEqual({ is: "ended", attempt, end: await readEnd(claimFolder(place.dataDir, attempt)) });
    daemon.close();
  }
  const last = await runner.connect();
  await last.forget("a");
  expect(await last.list()).toMatchObject([{ is: "ended", attempt: "b", end: { exitCode: 4 } }]);
});

test("only the newest connection counts: the connection before is closed, and its remaining orders are dropped", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const former = await runner.connect();
  const daemon = await runner.connect();
  former.start("a", shell(place, "a", 'echo ran > "$NOTES/ran"'));
  await until("the former connection to close", () => former.isClosed);
  expect(await daemon.list()).toEqual([]);
  daemon.start("b", shell(place, "b", "true"));
  await daemon.end("b");
  expect(await readdir(place.notes)).not.toContain("ran");
});

test("an end that cannot be written is reported anyway, kept, and written once it can be", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  // a folder in the place of the claim's file
  daemon.start("a", shell(place, "a", 'cd "$CLAIM"; mv claim aside; mkdir claim; exit 6'));
  const end = await daemon.end("a");
  expect(end).toMatchObject({ cause: "exit", exitCode: 6 });
  const folder = claimFolder(place.dataDir, "a");
  expect(await readEnd(folder)).toBeNull();
  expect(await daemon.list()).toEqual([{ is: "ended", attempt: "a", end }]);
  // the end would be lost with the runner, which therefore does not exit
  runner.child.kill("SIGTERM");
  await rmdir(join(folder, "claim"));
  await rename(join(folder, "aside"), join(folder, "claim"));
  expect(await until("written", () => readEnd(folder))).toEqual(end);
});

test("a damaged file of a dead runner is removed with its folder, but not that of a live one", async () => {
  await using place = await makePlace();
  await using live = await startRunner(place, { id: "live" });
  // without a daemon it leaves after ten seconds
  await live.connect();
  // a process of any data directory with the same id would be taken for it
  await using dead = await startRunner(place, { id: newRunnerId() });
  for (const { id } of [live, dead]) await writeFile(runnerPlaces(place.dataDir, id).identity, '{"id":"');
  await dead.kill();
  await using next = await startRunner(place, { id: "next" });
  await next.connect();
  const names = ["live", "next"].flatMap((id) => [`${id}.json`, `${id}.pipes`, `${id}.sock`]);
  expect((await readdir(runnersFolder(place.dataDir))).sort()).toEqual(names);
  expect(next.child.exitCode).toBeNull();
});

test("a runner ignores TERM, INT and HUP during an attempt; otherwise it exits on TERM and removes its files", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start("a", shell(place, "a", untilGo));
  await daemon.waitFor("started", "a");
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) runner.child.kill(signal);
  expect(await daemon.list()).toMatchObject([{ is: "started" }]);
  await writeFile(join(place.notes, "go"), "");
  await daemon.end("a");
  await daemon.forget("a");
  runner.child.kill("SIGTERM");
  await until("left", () => runner.child.exitCode === 0);
  await using next = await startRunner(place, { id: "next" });
  await next.connect();
  expect((await readdir(runnersFolder(place.dataDir))).sort()).toEqual(["next.json", "next.pipes", "next.sock"]);
  expect(next.child.exitCode).toBeNull();
});

test("a runner without a daemon and without an attempt exits after ten seconds, but not while a pipe is open", async () => {
  await using place = await makePlace();
  await using held = await startRunner(place, { id: "held" });
  const daemon = await held.connect();
  daemon.start("a", shell(place, "a", `sh -c '${untilGo}; echo late; echo out > "$NOTES/out"' & exit 0`));
  await daemon.end("a");
  await daemon.forget("a");
  daemon.close();
  // this runner begins its wait after the other one, so without the pipe the other would exit first
  await using idle = await startRunner(place, { id: "idle" });
  await until("the idle one has left", () => idle.child.exitCode === 0);
  expect(held.child.exitCode).toBeNull();
  expect(await readdir(runnersFolder(place.dataDir))).not.toContain("idle.sock");
  await writeFile(join(place.notes, "go"), "");
  await readNote(place, "out");
});

test("the next runner removes the files of dead runners, except their claims, and leaves those of live runners", async () => {
  await using place = await makePlace();
  await using dead = await startRunner(place, { id: "dead" });
  await using alive = await startRunner(place, { id: "alive" });
  const daemon = await alive.connect();
  await mkdir(join(runnerPlaces(place.dataDir, "dead").pipes, "more"));
  await dead.kill();
  await using next = await startRunner(place, { id: "next" });
  await next.connect();
  await using last = await startRunner(place, { id: "last" });
  await last.connect();
  expect((await readdir(runnersFolder(place.dataDir))).filter((name) => name.startsWith("dead"))).toEqual([]);
  daemon.start("a", shell(place, "a", "echo out"));
  expect(await daemon.end("a")).toMatchObject({ exitCode: 0, stdout: { written: 4 } });
  expect([next.child.exitCode, last.child.exitCode]).toEqual([null, null]);
});

test("a file of a dead runner that cannot be removed does not stop another runner from starting", async () => {
  await using place = await makePlace();
  await using dead = await startRunner(place, { id: "dead" });
  await dead.kill();
  const { identity } = runnerPlaces(place.dataDir, "dead");
  // the names of its socket and its pipes would exceed the maximum length
  await rename(identity, runnerPlaces(place.dataDir, "d".repeat(250)).identity);
  await using next = await startRunner(place, { id: "next" });
  await next.connect();
  expect(next.child.exitCode).toBeNull();
});

test("a runner that cannot create its files reports why, and affects no other runner", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  await expect(startRunner(place)).rejects.toThrow("EEXIST");
  await expect(startRunner(place, { id: "x".repeat(120) })).rejects.toThrow("bytes; the system allows 107");
  await expect(startRunner(place, { id: "../r" })).rejects.toThrow("characters other than letters and digits");
  await expect(startRunner(place, { id: "r2", args: ["--umask", "9"] })).rejects.toThrow(
    '--umask must be a whole number, not "9"',
  );
  daemon.start("a", shell(place, "a", "true"));
  expect(await daemon.end("a")).toMatchObject({ exitCode: 0 });
  expect((await readdir(runnersFolder(place.dataDir))).sort()).toEqual(["r1.json", "r1.pipes", "r1.sock"]);
});

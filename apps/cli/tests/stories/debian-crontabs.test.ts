import type { Preview, ScheduleList, TaskList, Why } from "@belfry/client";
import { parseCrontab, planImport } from "@belfry/crontab";
import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { existsSync, readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

/** Crontabs in /etc/cron.d and /etc, and the Debian packages that install them. */
const crontabs = [
  { file: "certbot", package: "certbot" },
  { file: "e2scrub_all", package: "e2fsprogs" },
  { file: "php", package: "php-common" },
  { file: "sysstat", package: "sysstat" },
  { file: "crontab", package: "cron", path: "/etc/crontab" },
].map((crontab) => ({ path: `/etc/cron.d/${crontab.file}`, ...crontab }));

const missing = crontabs.filter(({ path }) => !existsSync(path)).map((crontab) => crontab.package);

test("the crontabs that Debian's packages install are on this machine", ({ skip }) => {
  const cure = `to have them: apt-get install ${missing.join(" ")}`;
  if (missing.length > 0 && process.env["CI"] !== "true") {
    console.warn(`Debian's crontabs are not all here, so none of them is imported; ${cure}`);
    skip(cure);
  }
  expect(missing, cure).toEqual([]);
});

const linesOf = (path: string): readonly string[] => readFileSync(path, "utf8").replace(/\n$/, "").split("\n");
/** Counts jobs without our parser: lines that start with a digit, a star or a nickname. */
const countJobs = (path: string): number => linesOf(path).filter((line) => /^\s*[\d*@]/.test(line)).length;

/** The jobs belong to root. A daemon of another user needs --run-as-me. */
const asMe = userInfo().username === "root" ? [] : ["--run-as-me"];
const importOf = (path: string) => ["import", "crontab", path, "--system", ...asMe];

interface ImportAnswer {
  readonly lines: readonly { readonly line: number; readonly outcome: string; readonly text: string }[];
  readonly made: { readonly tasks: readonly unknown[]; readonly schedules: readonly unknown[] };
}

describe.skipIf(missing.length > 0)("the crontabs that Debian's packages install", () => {
  test.each(crontabs)("$file: every job line is parsed as a job, and every line is in the report", ({ path }) => {
    const lines = parseCrontab(readFileSync(path, "utf8"), "system");
    const options = { groupName: "g", parentId: null, source: path, owner: null, cronEnvironment: {} };
    const daemonUser = { name: "root", isRoot: true };
    const plan = planImport(lines, {
      ...options,
      daemonUser,
      userWords: new Map(),
      unknownUsers: new Set(),
      runAsMe: false,
      catchUp: false,
      noOverlap: false,
    });
    expect(countJobs(path)).toBeGreaterThan(0);
    expect(lines.filter(({ kind }) => kind === "job")).toHaveLength(countJobs(path));
    expect(plan.body.tasks).toHaveLength(countJobs(path));
    expect(plan.body.schedules).toHaveLength(countJobs(path));
    expect(plan.report.map(({ line }) => line)).toEqual(linesOf(path).map((_, index) => index + 1));
    expect(plan.report.filter(({ outcome }) => outcome === "refused")).toEqual([]);
  });

  test.each(crontabs)("$file is imported whole, and the report accounts for every line", async ({ file, path }) => {
    await using belfry = await startBelfry();
    const { lines, made } = await belfry.json<ImportAnswer>(...importOf(path));
    expect(lines.map(({ line }) => line)).toEqual(linesOf(path).map((_, index) => index + 1));
    const outcomes = linesOf(path).map((line) => (/^\s*(#|$)/.test(line) ? "none" : "taken"));
    expect(lines.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(lines.filter(({ text }) => text.startsWith("task "))).toHaveLength(countJobs(path));
    expect([made.tasks.length, made.schedules.length]).toEqual([countJobs(path), countJobs(path)]);

    const { tasks } = await belfry.json<TaskList>("task", "list", "--group", file);
    // the commands of the file, without the time fields and the user
    const commands = linesOf(path).flatMap((line) => /^\s*[\d*@](?:\S*\s+){5}root\s+(.*)$/.exec(line)?.[1] ?? []);
    const scripts = tasks.map(({ command }) => (command?.kind === "shell" ? command.script : null));
    expect(scripts).toHaveLength(commands.length);
    expect(new Set(scripts)).toEqual(new Set(commands));
  });

  /** The upcoming times of the only schedule with this expression. */
  async function preview(file: string, of: { zone: string; expression: string; from: string }) {
    await using belfry = await startBelfry();
    await belfry.json(...importOf(`/etc/cron.d/${file}`));
    await belfry.text("group", "edit", file, "--tz", of.zone);
    const { schedules } = await belfry.json<ScheduleList>("schedule", "list", "--group", file);
    const found = schedules.filter(({ expression }) => expression === of.expression);
    expect(found).toHaveLength(1);
    const words = ["schedule", "preview", found[0]!.id, "--from", of.from, "-n", "4"];
    const { occurrences } = await belfry.json<Preview>(...words);
    const shown = await belfry.text(...words);
    return {
      locals: occurrences.map(({ local, dst_note: note }) => (note === null ? local : `${local} ${note}`)),
      shown,
    };
  }

  test("e2scrub_all's nightly job keeps its hour when New York's clocks go forward", async () => {
    const of = { zone: "America/New_York", expression: "10 3 * * *", from: "2026-03-07T00:00:00-05:00" };
    const { locals, shown } = await preview("e2scrub_all", of);
    expect(locals).toEqual([
      "2026-03-07T03:10:00-05:00",
      "2026-03-08T03:10:00-04:00",
      "2026-03-09T03:10:00-04:00",
      "2026-03-10T03:10:00-04:00",
    ]);
    expect(shown).toMatch(/IN America\/New_York[^]*2026-03-08 03:10:00 -04:00/);
  });

  test("in Helsinki a skipped time runs right after the gap, and a repeated time runs once", async () => {
    const of = { zone: "Europe/Helsinki", expression: "10 3 * * *" };
    const spring = await preview("e2scrub_all", { ...of, from: "2026-03-28T00:00:00+02:00" });
    expect(spring.locals).toEqual([
      "2026-03-28T03:10:00+02:00",
      "2026-03-29T04:00:00+03:00 gap",
      "2026-03-30T03:10:00+03:00",
      "2026-03-31T03:10:00+03:00",
    ]);
    expect(spring.shown).toContain("instead of 03:10: the clocks go forward 1 hour");
    expect((await preview("e2scrub_all", { ...of, from: "2026-10-24T00:00:00+03:00" })).locals).toEqual([
      "2026-10-24T03:10:00+03:00",
      "2026-10-25T03:10:00+03:00 overlap_first",
      "2026-10-26T03:10:00+02:00",
      "2026-10-27T03:10:00+02:00",
    ]);
  });

  test("php's half-hourly job keeps its interval across New York's clock change", async () => {
    const of = { zone: "America/New_York", expression: "09,39 * * * *", from: "2026-03-08T01:00:00-05:00" };
    expect((await preview("php", of)).locals).toEqual([
      "2026-03-08T01:09:00-05:00",
      "2026-03-08T01:39:00-05:00",
      "2026-03-08T03:09:00-04:00",
      "2026-03-08T03:39:00-04:00",
    ]);
  });

  test("sysstat's job runs on time, its output is followed, and why explains the run", async () => {
    const clock = new ManualClock("2026-03-07T12:00:30Z");
    await using place = await tempDir();
    await using belfry = await startBelfry({ clock });
    // replaces the program of the job through PATH, because the real one would write statistics
    const program = join(place.path, "debian-sa1");
    const go = join(place.path, "go");
    await writeFile(
      program,
      `#!/bin/sh\necho "sa1 $*"\nuntil [ -e '${go}' ]; do sleep 0.02; done\necho ended\nexit 3\n`,
    );
    await chmod(program, 0o755);
    await belfry.json(...importOf("/etc/cron.d/sysstat"));
    const { schedules } = await belfry.json<ScheduleList>("schedule", "list", "--group", "sysstat");
    const task = schedules.find(({ expression }) => expression === "5-55/10 * * * *")!.task_name;
    await belfry.call(["group", "edit", "sysstat", "--env", "PATH"], {
      environment: { PATH: `${place.path}:/usr/bin:/bin` },
    });

    await clock.advance(4 * 60_000 + 29_000);
    expect(await belfry.json("run", "list", "--task", task)).toMatchObject({ runs: [] });
    await clock.advance(1_000);
    // the follower's polling runs on the daemon's clock
    const goOnUntil = (what: string, look: () => boolean) => until(what, () => clock.advance(20).then(look));
    let seen = "";
    const following = belfry.call(["run", "logs", "-f", task], { onStdout: (text) => (seen += text) });
    await goOnUntil("what it has written so far", () => seen === "sa1 1 1\n");
    await writeFile(go, "");
    let hasEnded = false;
    void following.finally(() => (hasEnded = true));
    await goOnUntil("the end of what is followed", () => hasEnded);
    expect(await following).toMatchObject({ stdout: "sa1 1 1\nended\n" });

    const { runs } = await belfry.json<{ runs: readonly { id: string }[] }>("run", "list", "--task", task);
    expect(runs).toMatchObject([
      { state: "failed", exit_code: 3, trigger: "schedule", scheduled_for: "2026-03-07T12:05:00.000Z" },
    ]);
    const why = await belfry.json<Why>("why", task, "--at", "2026-03-07T12:05:00Z");
    expect(why.schedules).toMatchObject([{ decision: "ran", run_id: runs[0]!.id }]);
    expect(await belfry.text("why", task, "--at", "2026-03-07T12:05:00Z")).toContain("exited with code 3");
    const before = await belfry.json<Why>("why", task, "--at", "2026-03-07T12:00:00Z");
    expect(before.schedules).toMatchObject([{ run_id: null, reason: expect.stringMatching(/did not exist/) }]);
  });
});

import { tempDir, until } from "@belfry/test-kit";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readStat } from "../../src/runner/processes/processes.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import {
  canHaveUsers,
  homeless,
  inMountNamespace,
  makeUsers,
  mustHaveUsers,
  otherUser,
} from "../support/processes/other-users.ts";
import type { Json } from "../support/harness.ts";
import { cancel, type Daemon, getRun, makeTask, outputOf, startRun, untilEnd } from "../support/tasks.ts";
import { runOnce as tryOnce } from "../support/tasks.ts";

const daemons = useDaemonProcess();
const { name: run_as, uid } = otherUser;

/** A daemon of root on a machine with more users. `more` runs in its mount namespace, `as` starts it there. */
async function open({ more = "", as = [] as readonly string[] } = {}) {
  const dir = await tempDir("bu-");
  chmodSync(dir.path, 0o755);
  const data = await tempDir("bf-");
  const { commands, home } = makeUsers(dir.path);
  const shared = join(dir.path, "shared");
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  const daemon = await daemons.start({
    dataDir: data.path,
    environment: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: "/root",
      USER: "root",
      LOGNAME: "root",
      SHELL: "/bin/sh",
      LANG: "C.UTF-8",
      TMPDIR: "/root/tmp",
    },
    starter: [
      ...inMountNamespace(`${commands}\nmount -t tmpfs -o mode=755 tmpfs /run\n${more.replaceAll("$DIR", dir.path)}`),
      ...as,
    ],
  });
  return {
    daemon,
    home,
    /** A folder that every user may enter, and one that every user may write to. */
    folder: dir.path,
    shared,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await daemon[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Replaces setpriv by one that works once, for the check, and then fails as the real one does. */
const breakingSetpriv = `
cp /usr/bin/setpriv $DIR/real-setpriv
cat > $DIR/setpriv <<'END'
#!/bin/sh
mkdir $DIR/was-used 2>/dev/null && exec $DIR/real-setpriv "$@"
echo 'setpriv: setresuid failed: Operation not permitted' >&2
exit 127
END
chmod 755 $DIR/setpriv
mount --bind $DIR/setpriv /usr/bin/setpriv`;

/** Whether the lookup of the user or the check of the start was given up, as on a busy machine: nothing was started. */
const wasGivenUp = (run: Json): boolean =>
  run.reason === "spawn_error" && /did not (?:answer|end) in time/.test(run.reason_text);

/** Runs a task once, and again if its start was given up. */
async function runOnce(daemon: Daemon, script: string, more: object = {}): Promise<Json> {
  return until("a start that is not given up", async () => {
    const run = await tryOnce(daemon, script, more);
    return wasGivenUp(run) ? null : run;
  });
}

/** Starts a script as the other user, and waits until it has made the file `up`. */
async function startUp({ daemon, shared }: { readonly daemon: Daemon; readonly shared: string }, script: string) {
  const task = await makeTask(daemon, script, { run_as, kill_grace: "100ms" });
  return until("the processes", async () => {
    const run = await startRun(daemon, task);
    const now = await until("a start", async () => {
      const seen = await getRun(daemon, run);
      return existsSync(join(shared, "up")) || seen.ended_at !== null ? seen : null;
    });
    if (now.ended_at === null) return run;
    expect(wasGivenUp(now), now.reason_text).toBe(true);
    return null;
  });
}

const linesOf = async (daemon: Daemon, run: Json): Promise<readonly string[]> =>
  (await outputOf(daemon, run)).trimEnd().split("\n");

/** Whether a process has ended, even if nobody has waited for it yet. */
const isGone = (pid: number): boolean => readStat(pid)?.isZombie ?? true;

/** Runs a program directly, without a shell. */
const exec = (program: string, ...args: string[]) => ({ command: { kind: "exec", program, arguments: args } });

test("the tests of other users run in continuous integration, as root", () => {
  expect(canHaveUsers || !mustHaveUsers).toBe(true);
});

describe.skipIf(!canHaveUsers)("a task of another user", () => {
  test("has that user's ids, groups, home directory and variables, and nothing of root's", async () => {
    await using machine = await open();
    const { daemon, home } = machine;
    const environment = { OWN: "of the task" };
    const run = await runOnce(daemon, "", { ...exec("env"), run_as, environment });
    expect(run).toMatchObject({ state: "succeeded" });
    expect((await linesOf(daemon, run)).toSorted()).toEqual(
      [
        "BELFRY_ATTEMPT=1",
        `BELFRY_RUN_ID=${run.id}`,
        `BELFRY_SCHEDULED_FOR=${run.scheduled_for}`,
        `BELFRY_TASK_ID=${run.task_id}`,
        "BELFRY_TRIGGER=manual",
        `HOME=${home}`,
        "LANG=C.UTF-8",
        `LOGNAME=${run_as}`,
        "OWN=of the task",
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "SHELL=/bin/bash",
        `USER=${run_as}`,
      ].toSorted(),
    );
    const ids = await runOnce(
      daemon,
      "id -ru; id -u; id -rg; id -g; id -G; pwd; umask; grep CapPrm /proc/self/status",
      {
        run_as,
      },
    );
    expect(await linesOf(daemon, ids)).toEqual([
      ...[uid, uid, uid, uid].map(String),
      otherUser.groups.join(" "),
      home,
      "0022",
      "CapPrm:\t0000000000000000",
    ]);
    expect((await daemon.call("GET", `/v1/tasks/${run.task_id}`)).json).toMatchObject({ run_as });
  });

  test("starts in / if that user's home directory does not exist, and in working_directory if there is one", async () => {
    await using machine = await open();
    const { daemon, folder } = machine;
    const pwd = exec("/bin/pwd", "-P");
    expect(await linesOf(daemon, await runOnce(daemon, "", { ...pwd, run_as: homeless.name }))).toEqual(["/"]);
    const placed = await runOnce(daemon, "", { ...pwd, run_as, working_directory: folder });
    expect(await linesOf(daemon, placed)).toEqual([folder]);
  });

  test("may open its standard streams by name, and reads its standard input", async () => {
    await using machine = await open();
    const { daemon } = machine;
    const script = "echo out > /dev/stdout; echo err > /dev/stderr; cat /dev/stdin; cat < /proc/self/fd/0";
    const run = await runOnce(daemon, script, { run_as, standard_input: "in\n" });
    expect(run).toMatchObject({ state: "succeeded" });
    expect(await outputOf(daemon, run)).toBe("out\nin\n");
    expect(await outputOf(daemon, run, "?stream=stderr")).toBe("err\n");
  });

  test("fails to start if the user is unknown, or may not enter the directory or execute the program", async () => {
    await using machine = await open();
    const { daemon, folder } = machine;
    const ofRoot = join(folder, "root-only");
    mkdirSync(ofRoot, { mode: 0o700 });
    for (const [path, mode] of [
      [join(ofRoot, "inside"), 0o755],
      [join(folder, "of-root"), 0o700],
      [join(folder, "plain"), 0o644],
    ] as const)
      writeFileSync(path, "#!/bin/sh\nexit 0\n", { mode });
    for (const [name, firstLine] of [
      ["lost", "#!\t/no/such/interpreter -u"],
      ["unusable", `#!${folder}/of-root`],
      ["windows", "#!/bin/sh\r"],
    ] as const)
      writeFileSync(join(folder, name), `${firstLine}\nexit 0\n`, { mode: 0o755 });
    for (const [name, target] of [
      ["into-root-only", "root-only/inside"],
      ["nowhere", join(folder, "missing/at/all")],
      ["loop", "loop"],
    ] as const)
      symlinkSync(target, join(folder, name));
    const cases: readonly (readonly [task: object, sentence: string])[] = [
      [{ run_as: "bf-nobody", ...exec("true") }, 'the user "bf-nobody" does not exist on this machine'],
      [
        { run_as, ...exec("true"), working_directory: ofRoot },
        `working directory ${ofRoot} cannot be executed or entered: permission denied (EACCES)`,
      ],
      [
        { run_as, ...exec("true"), working_directory: join(folder, "missing") },
        `working directory ${folder}/missing was not found (ENOENT)`,
      ],
      [
        { run_as, ...exec("true"), working_directory: join(folder, "plain") },
        `working directory ${folder}/plain is not a directory, or a part of its path is a file (ENOTDIR)`,
      ],
      [{ run_as, ...exec(join(folder, "nowhere")) }, `${folder}/nowhere was not found (ENOENT)`],
      [{ run_as, ...exec(join(folder, "loop")) }, `${folder}/loop has too many symbolic links in its path (ELOOP)`],
      [
        { run_as, ...exec(join(folder, "plain/x")) },
        `${folder}/plain/x is not a directory, or a part of its path is a file (ENOTDIR)`,
      ],
      ...["root-only/inside", "of-root", "plain", "into-root-only"].map(
        (name) =>
          [
            { run_as, ...exec(join(folder, name)) },
            `${folder}/${name} cannot be executed or entered: permission denied (EACCES)`,
          ] as const,
      ),
      [
        { run_as, ...exec("of-root"), environment: { PATH: folder } },
        "of-root cannot be executed or entered: permission denied (EACCES)",
      ],
      [{ run_as, ...exec("bf-no-such-program") }, "bf-no-such-program was not found (ENOENT)"],
      [
        { run_as, ...exec(join(folder, "lost")) },
        `the interpreter /no/such/interpreter of ${folder}/lost was not found (ENOENT)`,
      ],
      [
        { run_as, ...exec("lost"), environment: { PATH: `/bin:${folder}` } },
        `the interpreter /no/such/interpreter of ${folder}/lost was not found (ENOENT)`,
      ],
      [
        { run_as, ...exec(join(folder, "unusable")) },
        `the interpreter ${folder}/of-root of ${folder}/unusable cannot be executed or entered: permission denied (EACCES)`,
      ],
      [
        { run_as, ...exec(join(folder, "windows")) },
        `the interpreter "/bin/sh\\r" of ${folder}/windows, whose lines end with CR LF, was not found (ENOENT)`,
      ],
      // a word that only a shell knows is no program
      [{ run_as, ...exec("eval") }, "eval was not found (ENOENT)"],
    ];
    for (const [body, sentence] of cases) {
      const run = await runOnce(daemon, "", { retry: { max_attempts: 3, delay: "0s" }, ...body });
      expect(run, sentence).toMatchObject({
        state: "failed",
        reason: "spawn_error",
        pid: null,
        attempt: 1,
        duration_ms: 0,
      });
      expect(run.reason_text).toBe(`could not be started: ${sentence}`);
    }
    // a user that is created later is found at once, without a restart
    chmodSync(join(folder, "of-root"), 0o755);
    expect(await runOnce(daemon, "", { run_as, ...exec(join(folder, "of-root")) })).toMatchObject({
      state: "succeeded",
    });
  });

  test("fails to start if the directory of users does not answer, and delays no other task", async () => {
    const hanging =
      "printf '#!/bin/sh\\nexec sleep 600\\n' > $DIR/getent; chmod 755 $DIR/getent; mount --bind $DIR/getent /usr/bin/getent";
    await using machine = await open({ more: hanging });
    const { daemon } = machine;
    // the lookup is given up after a few seconds: on a busy machine perhaps before the other task has ended
    const waiting = await until("another task ends before the lookup does", async () => {
      const started = await startRun(daemon, await makeTask(daemon, "true", { run_as }));
      expect(await runOnce(daemon, "true")).toMatchObject({ state: "succeeded" });
      const now = await getRun(daemon, started);
      return now.state === "dispatching" ? now : null;
    });
    expect(await untilEnd(daemon, waiting)).toMatchObject({
      reason: "spawn_error",
      reason_text: `could not be started: the user "${run_as}" could not be looked up: getent did not answer in time`,
    });
  });

  test("has its own exit codes, those that a failed switch would have included", async () => {
    await using machine = await open();
    for (const code of [1, 3, 4, 125, 126, 127])
      expect(await runOnce(machine.daemon, `exit ${code}`, { run_as })).toMatchObject({
        reason: "exit_code",
        exit_code: code,
      });
  });

  test("starts a program whose name or directory reads like an option or a variable", async () => {
    await using machine = await open();
    const { daemon, folder } = machine;
    const directory = join(folder, "-u root=1");
    mkdirSync(directory, { mode: 0o755 });
    chmodSync(directory, 0o755);
    for (const name of ["A=b", "--help", "-i"]) {
      writeFileSync(join(directory, name), '#!/bin/sh\necho "$# $1 $2 $(id -u)"\n', { mode: 0o755 });
      chmodSync(join(directory, name), 0o755);
      const words = [`./${name}`, "--reuid=0", "B=c"] as const;
      const run = await runOnce(daemon, "", { run_as, ...exec(...words), working_directory: directory });
      expect(await outputOf(daemon, run), name).toBe(`2 --reuid=0 B=c ${uid}\n`);
    }
  });

  test("is ended by a cancel with all its processes, also those in sessions of their own", async () => {
    await using machine = await open();
    const { daemon, shared } = machine;
    const script = `
      (trap '' TERM; setsid sh -c 'echo $$ > ${shared}/far; trap "" TERM; sleep 600; sleep 600') &
      (setsid sh -c '(sh -c "echo \\$\\$ > ${shared}/orphan; exec sleep 600" &) & exit 0') &
      until [ -s ${shared}/far ] && [ -s ${shared}/orphan ]; do sleep 0.02; done
      echo up > ${shared}/up; sleep 600`;
    const run = await startUp(machine, script);
    await cancel(daemon, run);
    expect(await untilEnd(daemon, run)).toMatchObject({
      state: "cancelled",
      reason_text: expect.stringMatching(/^was cancelled(?:;|$)/) as unknown,
    });
    for (const name of ["far", "orphan"])
      expect(isGone(Number(readFileSync(join(shared, name), "utf8"))), name).toBe(true);
  });

  test("is ended with all processes that parentage and session show, if their environment cannot be read", async () => {
    await using machine = await open({ as: ["setpriv", "--bounding-set=-sys_ptrace", "--"] });
    const { daemon, shared } = machine;
    const script = `
      (trap '' TERM; setsid sh -c 'echo $$ > ${shared}/far; trap "" TERM; sleep 600; sleep 600') &
      (sh -c 'echo $$ > ${shared}/orphan; exec sleep 600' &)
      until [ -s ${shared}/far ] && [ -s ${shared}/orphan ]; do sleep 0.02; done
      echo up > ${shared}/up; sleep 600`;
    const run = await startUp(machine, script);
    await cancel(daemon, run);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled" });
    for (const name of ["far", "orphan"])
      expect(isGone(Number(readFileSync(join(shared, name), "utf8"))), name).toBe(true);
  });

  test("gets no copy of a file that its own environment names", async () => {
    await using machine = await open();
    const { daemon } = machine;
    const environment = { BELFRY_FILES_FILE: "/etc/shadow" };
    const run = await runOnce(daemon, 'echo "list:$BELFRY_FILES_FILE"', { run_as, environment });
    expect(run).toMatchObject({ state: "succeeded" });
    expect(await linesOf(daemon, run)).toEqual(["list:"]);
  });

  test("gets the list of a watcher's files in a copy that only its user may read, and that is then removed", async () => {
    await using machine = await open();
    const { daemon, folder } = machine;
    const watched = join(folder, "watched");
    mkdirSync(watched);
    const script = `stat -c '%a %u' "$BELFRY_FILES_FILE"; echo "$BELFRY_FILES_FILE"; cat "$BELFRY_FILES_FILE"; ls /run/belfry/files; echo more >> "$BELFRY_FILES_FILE"`;
    const task = await makeTask(daemon, script, { run_as });
    const watcher = await daemon.call("POST", "/v1/filesystem-watchers", {
      name: "w",
      kind: "directory",
      path: watched,
      debounce: "25ms",
      stability: "25ms",
      on_start: "scan",
      target_task_id: task.id,
    });
    expect(watcher.status, watcher.text).toBe(201);
    let changes = 0;
    const run: Json = await until("a start that is not given up", async () => {
      writeFileSync(join(watched, "new"), "x".repeat(++changes));
      const ended = await until("a run for each change", async () => {
        const { runs } = (await daemon.call("GET", `/v1/runs?task_id=${task.id}`)).json;
        return runs.length >= changes && runs.every(({ ended_at }: Json) => ended_at !== null)
          ? (runs as Json[])
          : null;
      });
      return ended.find((each) => !wasGivenUp(each));
    });
    const [mode, path, list, ...rest] = await linesOf(daemon, run);
    expect(list).toContain(join(watched, "new"));
    expect(mode).toBe(`400 ${uid}`);
    expect(path).toMatch(/^\/run\/belfry\/files\//);
    expect(rest).toEqual([]);
    const stderr = await outputOf(daemon, run, "?stream=stderr");
    expect(stderr).toMatch(/cannot open directory '\/run\/belfry\/files'|Permission denied/);
    expect(stderr.split("\n").filter((line) => line.includes("Permission denied")).length).toBeGreaterThan(1);
    await until("its end", () => !existsSync(`/proc/${daemon.pid}/root${path}`));
    expect(existsSync(`/proc/${daemon.pid}/root/run/belfry/files`)).toBe(true);
  });
});

describe.skipIf(!canHaveUsers)("nobody becomes root by a task of another user", () => {
  test("a runner that may not switch users starts nothing", async () => {
    await using machine = await open({ as: ["setpriv", "--bounding-set=-setuid", "--"] });
    const { daemon, shared } = machine;
    const run = await runOnce(daemon, `id -u > ${shared}/ran`, { run_as });
    expect(run).toMatchObject({ state: "failed", reason: "spawn_error", pid: null });
    expect(run.reason_text).toMatch(
      /^could not be started: the runner could not switch to the user "bf-tester": setpriv: .*Operation not permitted$/,
    );
    expect(existsSync(join(shared, "ran"))).toBe(false);
  });

  test("the program never runs if the switch works when it is checked, and fails when it counts", async () => {
    await using machine = await open({ more: breakingSetpriv });
    const { daemon, folder, shared } = machine;
    const run: Json = await until("a check that is not given up", async () => {
      rmSync(join(folder, "was-used"), { recursive: true, force: true });
      const tried = await tryOnce(daemon, `id -u > ${shared}/ran`, { run_as });
      return wasGivenUp(tried) ? null : tried;
    });
    expect(run).toMatchObject({ state: "failed", exit_code: 127 });
    expect(existsSync(join(shared, "ran"))).toBe(false);
  });

  test("programs that the task's PATH, directory and libraries contain never run as root", async () => {
    await using machine = await open();
    const { daemon, folder, shared } = machine;
    const evil = join(folder, "evil");
    mkdirSync(evil, { mode: 0o755 });
    chownSync(evil, uid, uid);
    for (const name of ["setpriv", "env", "sh", "getent", "id"]) {
      writeFileSync(join(evil, name), `#!/bin/sh\n/usr/bin/id -u >> ${shared}/ran\nexec /usr/bin/${name} "$@"\n`, {
        mode: 0o755,
      });
      chmodSync(join(evil, name), 0o755);
    }
    const environment = {
      PATH: `${evil}:/usr/bin:/bin`,
      // the dynamic loader of each process writes a file as the user of that process
      LD_DEBUG: "files",
      LD_DEBUG_OUTPUT: join(shared, "loader"),
      BASH_ENV: join(evil, "id"),
      ENV: join(evil, "id"),
    };
    const run = await runOnce(daemon, "id -u; printenv LD_DEBUG", { run_as, environment, working_directory: evil });
    expect(await linesOf(daemon, run)).toEqual([String(uid), "files"]);
    const owners = readdirSync(shared).map((name) => statSync(join(shared, name)).uid);
    expect(new Set(owners)).toEqual(new Set([uid]));
    expect(new Set(readFileSync(join(shared, "ran"), "utf8").trim().split("\n"))).toEqual(new Set([String(uid)]));
  });
});

import { tempDir } from "@belfry/test-kit";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeGroup, makeTask, outputOf, runOnce, startRun, untilEnd } from "../support/tasks.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { startDaemonProcess } from "../support/processes/daemon-process.ts";

/** The environment of a daemon under a package manager, a careless service file, or a shell full of secrets. */
const ofTheDaemon = {
  ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`npm_config_setting_${index}`, `of npm ${index}`])),
  npm_lifecycle_event: "start",
  INIT_CWD: "/somewhere",
  NODE_OPTIONS: "--max-old-space-size=512",
  NODE_ENV: "production",
  NODE_V8_COVERAGE: "",
  AWS_SECRET_ACCESS_KEY: "not for tasks",
  BELFRY_SOMETHING: "of the daemon",
  DATABASE_URL: "postgres://user:secret@host/db",
  LD_LIBRARY_PATH: "/opt/nothing",
  SSH_AUTH_SOCK: "/tmp/agent",
};
const inherited = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/tmp",
  USER: "someone",
  LOGNAME: "someone",
  SHELL: "/bin/bash",
  LANG: "C.UTF-8",
  LC_TIME: "C",
  TZ: "Europe/Zurich",
  TMPDIR: "/tmp",
};

test("a task's environment has only a few of the daemon's variables, and those of its groups, itself and the run", async () => {
  await using place = await tempDir();
  await using bundle = await bundleDaemon();
  await using daemon = await startDaemonProcess({
    belfryd: bundle.belfryd,
    dataDir: join(place.path, "data"),
    environment: { ...ofTheDaemon, ...inherited },
  });
  const outer = await makeGroup(daemon, { environment: { OUTER: "outer", NEARER: "outer", TZ: "UTC" } });
  const inner = await makeGroup(daemon, { parent_id: outer.id, environment: { NEARER: "inner", OWN: "inner" } });
  const environment = { OWN: "the task's", WITH_NEWLINE: "a\nb", BELFRY_RUN_ID: "forged" };
  const task = await makeTask(daemon, "env | sort", { group_id: inner.id, environment });
  const run = await untilEnd(daemon, await startRun(daemon, task));
  expect(run.state).toBe("succeeded");
  expect((await outputOf(daemon, run)).trimEnd().split("\n")).toEqual(
    [
      "BELFRY_ATTEMPT=1",
      `BELFRY_RUN_ID=${run.id}`,
      `BELFRY_SCHEDULED_FOR=${run.scheduled_for}`,
      `BELFRY_TASK_ID=${task.id}`,
      "BELFRY_TRIGGER=manual",
      "HOME=/tmp",
      "LANG=C.UTF-8",
      "LC_TIME=C",
      "LOGNAME=someone",
      "NEARER=inner",
      "OUTER=outer",
      "OWN=the task's",
      "PATH=/usr/local/bin:/usr/bin:/bin",
      // set by the shell itself
      "PWD=/tmp",
      "SHELL=/bin/bash",
      "TMPDIR=/tmp",
      "TZ=UTC",
      "USER=someone",
      "WITH_NEWLINE=a",
      "b",
    ].sort(),
  );
});

test("a program started without a shell has what it was given, and its user's own HOME, USER, LOGNAME and SHELL", async () => {
  await using place = await tempDir();
  await using bundle = await bundleDaemon();
  await using daemon = await startDaemonProcess({
    belfryd: bundle.belfryd,
    dataDir: join(place.path, "data"),
    environment: { ...ofTheDaemon, PATH: inherited.PATH },
  });
  const task = await makeTask(daemon, "", { command: { kind: "exec", program: "env" }, environment: { OWN: "1" } });
  const run = await untilEnd(daemon, await startRun(daemon, task));
  const { username, homedir, shell } = userInfo();
  const { BELFRY_SCHEDULED_FOR: _, ...environment } = Object.fromEntries(
    (await outputOf(daemon, run))
      .trimEnd()
      .split("\n")
      .map((line) => line.split("=")),
  );
  expect(environment).toEqual({
    BELFRY_ATTEMPT: "1",
    BELFRY_RUN_ID: run.id,
    BELFRY_TASK_ID: task.id,
    BELFRY_TRIGGER: "manual",
    HOME: homedir,
    LOGNAME: username,
    OWN: "1",
    PATH: inherited.PATH,
    SHELL: shell,
    USER: username,
  });
});

/** The environment of a process whose user has no entry in the password database. */
const withoutAccount = `--import=data:text/javascript,${encodeURIComponent(`
  import os from "node:os";
  import { syncBuiltinESMExports } from "node:module";
  os.homedir = os.userInfo = () => { throw new Error("ENOENT: no such file or directory"); };
  syncBuiltinESMExports();
`)}`;

test("a daemon whose user is in no password database starts, and its tasks have / and /bin/sh", async () => {
  await using place = await tempDir();
  await using bundle = await bundleDaemon();
  await using daemon = await startDaemonProcess({
    belfryd: bundle.belfryd,
    dataDir: join(place.path, "data"),
    environment: { PATH: inherited.PATH, NODE_OPTIONS: withoutAccount },
  });
  const run = await runOnce(daemon, 'echo "$HOME $SHELL [$USER$LOGNAME] $PWD"');
  expect(await outputOf(daemon, run)).toBe("/ /bin/sh [] /\n");
});

import { tempDir, until } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getRun, made2xx, startRun, untilEnd } from "../support/tasks.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";

const daemons = useDaemonProcess();

const word = "planted6Tq4";
const mark = (what: string): string => `${word}-${what}`;
const marked = {
  environment: { [`NAME_${word}`]: mark("value") },
  standard_input: mark("input"),
};

const exec = (program: string) => ({ kind: "exec", program, arguments: [mark("argument")] });
const shell = (script: string) => ({ kind: "shell", script: `: ${mark("script")}; ${script}` });

test("the logs of daemon and runner name failed runs by id and reason, and contain no definition, input or output", async () => {
  await using dir = await tempDir("bf-");
  await using place = await tempDir();
  await writeFile(join(dir.path, "config.toml"), '[log]\nlevel = "debug"\n');
  await using daemon = await daemons.start({ dataDir: dir.path });
  const missing = join(place.path, mark("missing"));
  const file = join(place.path, mark("file"));
  await writeFile(file, "no program");
  await chmod(file, 0o644);
  const retry = { max_attempts: 2, delay: "0s" };
  const print = `cat; echo ${mark("output")}; echo ${mark("output")} >&2`;
  const cases: readonly (readonly [reason: string, task: object])[] = [
    ["spawn_error", { command: exec(missing) }],
    ["spawn_error", { command: exec(mark("program")) }],
    ["spawn_error", { command: exec(file) }],
    ["spawn_error", { command: exec(`/${mark("long").repeat(400)}`) }],
    ["spawn_error", { command: exec("true"), working_directory: missing }],
    ["spawn_error", { command: exec("true"), working_directory: file }],
    ["exit_code", { command: shell(`${print}; exit 3`), working_directory: place.path, retry }],
    ["signal", { command: shell("kill -9 $$"), working_directory: place.path }],
    ["timeout", { command: shell(`${print}; sleep 600`), timeout: "50ms", kill_grace: "0s" }],
    ["exit_code", { command: shell(print), working_directory: place.path }],
  ];
  const ended = await Promise.all(
    cases.map(async ([reason, body], index) => {
      const task = await made2xx(daemon.call("POST", "/v1/tasks", { name: `t${index}`, ...marked, ...body }));
      const run = await untilEnd(daemon, await startRun(daemon, task));
      expect(run.reason, run.reason_text).toBe(reason);
      return run;
    }),
  );

  const cancelled = await made2xx(
    daemon.call("POST", "/v1/tasks", { name: "c", ...marked, command: shell("sleep 600") }),
  );
  const run = await startRun(daemon, cancelled);
  await until("it runs", async () => (await getRun(daemon, run)).state === "running");
  await made2xx(daemon.call("POST", `/v1/runs/${run.id}/cancel`));
  await untilEnd(daemon, run);

  const block = `for claim in ${dir.path}/attempts/live/*; do mkdir "$claim/output" "$claim/stdout"; done`;
  const blocked = { name: "o", command: shell(`${block}; ${print}`), ...marked };
  const unkept = await startRun(daemon, await made2xx(daemon.call("POST", "/v1/tasks", blocked)));
  expect((await untilEnd(daemon, unkept)).output.stdout_cut).toBeGreaterThan(0);

  let aheadMs = 2_500;
  // a busy machine may start the run before its task is damaged
  const { broken, waiting } = await until("a damaged task with a queued run", async () => {
    aheadMs *= 2;
    const task = await made2xx(daemon.call("POST", "/v1/tasks", { name: `b${aheadMs}`, command: exec("true") }));
    const later = { scheduled_for: new Date(Date.now() + aheadMs).toISOString() };
    const { status, json: queued } = await daemon.call("POST", `/v1/tasks/${task.id}/run`, later);
    if (status >= 300) return null;
    const sqlite = new BetterSqlite(join(dir.path, "belfry.db"));
    sqlite.prepare("UPDATE tasks SET command_json = ? WHERE id = ?").run(mark("row"), task.id);
    sqlite.close();
    return (await getRun(daemon, queued)).state === "queued" ? { broken: task, waiting: queued } : null;
  });
  expect((await daemon.call("GET", `/v1/tasks/${broken.id}`)).status).toBe(500);
  await until("a look at the damaged row", () => daemon.output().includes("task.unreadable"));
  expect((await getRun(daemon, waiting)).state).toBe("queued");

  expect(await daemon.stop()).toBe(0);
  const folder = join(dir.path, "log");
  const names = await readdir(folder);
  expect(names.sort()).toEqual(["belfry.log", "runner.log"]);
  for (const name of names) expect(await readFile(join(folder, name), "utf8"), name).not.toContain(word);
  expect(daemon.output()).not.toContain(word);
  expect(await readFile(join(folder, "runner.log"), "utf8")).toContain('"event":"output.failed"');
  const lines = (await readFile(join(folder, "belfry.log"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { id, reason, exit_code, signal } of ended.filter(({ state }) => state === "failed")) {
    const line = lines.find((found) => found.run_id === id && found.event === "run.failed");
    const { exit_code: code = null, signal: by = null, ...rest } = line;
    expect({ ...rest, code, by }, `the end of ${id}`).toMatchObject({ reason, code: exit_code, by: signal });
  }
});

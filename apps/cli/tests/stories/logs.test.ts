import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { fakeDaemon, type Reply } from "../../../../packages/client/tests/fake-daemon.ts";
import { startBelfry } from "../belfry.ts";
import { callBelfry } from "../call.ts";

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");

test("without a run, the output of the newest run is printed, and of the newest that failed", async () => {
  await using belfry = await startBelfry();
  expect(await belfry.call(["logs"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("there is no run yet"),
  });
  await belfry.text("task", "add", "Bad", "--shell", "seq -f 'line %g' 100; exit 3");
  await belfry.text("task", "add", "Worse", "--shell", "echo worse >&2; exit 4");
  await belfry.text("task", "add", "Good", "--shell", "echo good");
  await belfry.call(["task", "run", "Bad", "--wait"]);
  await belfry.call(["task", "run", "Good", "--wait"]);

  const newest = await belfry.call(["logs"]);
  expect(newest).toMatchObject({ code: 0, stdout: "good\n" });
  expect(newest.stderr).toMatch(/^Task "Good", succeeded (just now|\S+ ago) \(run_\w{20}\)\n$/);
  const failed = await belfry.call(["run", "logs", "--failed", "--tail", "20"]);
  expect(failed).toMatchObject({ code: 0, stdout: lines(81, 100) });
  expect(failed.stderr).toMatch(/^Task "Bad", failed (just now|\S+ ago) \(run_\w{20}\)\n$/);

  await belfry.call(["task", "run", "Worse", "--wait"]);
  expect((await belfry.call(["logs", "--failed"])).stderr).toMatch(/worse\n$/);
  expect((await belfry.call(["logs", "Bad", "--failed", "-n", "1"])).stdout).toBe("line 100\n");
  expect(await belfry.call(["logs", "Good", "--failed"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('task "Good" has no failed run'),
  });
});

test("without a run, an active run is named with the time for which it has been active", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Long", "--shell", "echo started; sleep 600");
  await belfry.text("task", "run", "Long");
  await until("the run", async () => (await belfry.text("ps")).includes("running"));
  expect((await belfry.call(["logs"])).stderr).toMatch(/^Task "Long", running for \d[\dms ]* \(run_\w{20}\)\n$/);
});

test("one stream is printed, from its last lines or a time", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Both", "--shell", "seq -f 'line %g' 9; echo e1 >&2; echo e2 >&2");
  await belfry.text("task", "run", "Both", "--wait");
  expect(await belfry.call(["logs", "Both", "--stdout", "--tail", "2"])).toEqual({
    code: 0,
    stdout: lines(8, 9),
    stderr: "",
  });
  expect(await belfry.call(["logs", "Both", "--stderr", "-n", "1"])).toEqual({ code: 0, stdout: "", stderr: "e2\n" });
  expect(await belfry.call(["logs", "Both", "--tail", "0"])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await belfry.call(["logs", "Both", "--since", "0s ago"])).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("the last lines are followed, and a retry is printed whole", async () => {
  await using belfry = await startBelfry();
  const script = "seq -f 'line %g' 5; exit 1";
  await belfry.text("task", "add", "Again", "--retries", "1", "--retry-delay", "1h", "--shell", script);
  await belfry.text("task", "run", "Again");
  await until("the pause", async () => (await belfry.text("run", "list")).includes("queued: retry 1 of 1"));
  let seen = "";
  const following = belfry.call(["logs", "Again", "-f", "--tail", "2"], { onStdout: (text) => (seen += text) });
  await until("the last lines", () => seen === lines(4, 5));
  await belfry.text("run", "cancel", "Again");
  expect(await following).toMatchObject({ code: 0, stdout: lines(4, 5) });
});

test.each([
  [["--stdout", "--stderr"], "--stdout and --stderr cannot be combined. Use one of them"],
  [["--stderr", "--stream", "both"], "--stderr and --stream cannot be combined. Use one of them"],
  [["--tail", "10001"], "Use a whole number from 0 to 10000"],
  [["--since", "whenever"], 'cannot parse "whenever" as a time for --since'],
  [["run_4fzH1TqWb8YkV0c2LxNd", "--failed"], "--failed chooses the run itself"],
])("logs %j is refused", async (args, message) => {
  await using belfry = await startBelfry();
  expect(await belfry.call(["logs", ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

const id = "run_4fzH1TqWb8YkV0c2LxNd";
const time = (ms: number) => new Date(Date.UTC(2026, 10, 22, 2) + ms).toISOString();
type Piece = readonly [stream: "stdout" | "stderr", text: string, at?: number];

/** A daemon with one run whose output is given. */
function daemonWith(written: readonly Piece[]) {
  const offsets = { stdout: 0, stderr: 0 };
  const pieces = written.map(([stream, text, at]) => {
    const offset = offsets[stream];
    offsets[stream] += text.length;
    return { stream, offset, base64: btoa(text), ...(at === undefined ? {} : { time: time(at) }) };
  });
  return fakeDaemon(({ path }): Reply => {
    if (!path.includes("/output")) return { json: { id, state: "succeeded", attempt: 1, attempts_max: 1 } };
    return (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const data of pieces) response.write(`event: output\ndata: ${JSON.stringify(data)}\n\n`);
      response.end(`event: end\ndata: {"state":"succeeded"}\n\n`);
    };
  });
}

test("both streams are printed in the order in which they were read, as it would be on one terminal", async () => {
  await using daemon = await daemonWith([
    ["stdout", "1\n", 0],
    ["stderr", "2\n", 50],
    ["stdout", "3", 100],
    ["stderr", "4\n", 150],
  ]);
  let terminal = "";
  const print = (text: string) => (terminal += text);
  await callBelfry(["--socket", daemon.socketPath, "logs", id], { onStdout: print, onStderr: print });
  expect(terminal).toBe("1\n2\n34\n");
});

test("--timestamps prints the local time of each line, and a dash where it is not recorded", async () => {
  await using daemon = await daemonWith([
    ["stdout", "one\ntw", 0],
    ["stderr", "error\n", 1_023],
    ["stdout", "o\n", 2_000],
    ["stdout", "unknown"],
  ]);
  const { stdout, stderr } = await callBelfry(["--socket", daemon.socketPath, "logs", id, "-t"]);
  const local = (ms: number) => {
    const at = new Date(time(ms));
    const two = (value: number) => String(value).padStart(2, "0");
    const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");
    return `${date} ${clock}.${String(at.getMilliseconds()).padStart(3, "0")}`;
  };
  expect(stdout).toBe(`${local(0)} one\n${local(0)} two\n${"-".padEnd(23)} unknown\n`);
  expect(stderr).toBe(`${local(1_023)} error\n`);

  const json = await callBelfry(["--socket", daemon.socketPath, "logs", id, "--timestamps", "--json"]);
  expect(JSON.parse(json.stdout.split("\n")[0] ?? "")).toMatchObject({ kind: "output", time: time(0) });
});

test("a daemon that does not know --tail or --since is older, and the command says so", async () => {
  for (const [field, value] of [
    ["tail", "5"],
    ["since", "1h"],
  ] as const) {
    await using daemon = await fakeDaemon(({ path }) =>
      path.includes("/output")
        ? { status: 400, json: { error: { code: "validation_failed", field, message: `${field} is not known` } } }
        : { json: { id, state: "succeeded", attempt: 1, attempts_max: 1 } },
    );
    expect(await callBelfry(["--socket", daemon.socketPath, "logs", id, `--${field}`, value])).toEqual({
      code: 2,
      stdout: "",
      stderr: `belfry: the daemon is older than this command. Update the daemon, or leave out --${field}\n`,
    });
  }
});

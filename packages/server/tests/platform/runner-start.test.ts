import { until } from "@belfry/test-kit";
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStream } from "../../src/features/engine/output/read-stream.ts";
import { Claims } from "../../src/runner/claims/claims.ts";
import { type AttemptSpec, startVersionOf, startVersions } from "../../src/runner/protocol/messages.ts";
import { claimFolder, keptFolder, liveFolder } from "../../src/runner/places.ts";
import { makePlace, type Place, shell, startRunner } from "../support/processes/runner-process.ts";

async function keptStdout(place: Place, attempt: string): Promise<string> {
  let text = "";
  for await (const piece of readStream([claimFolder(place.dataDir, attempt)], "stdout", 0))
    if ("bytes" in piece) text += Buffer.from(piece.bytes).toString();
  return text;
}

/** Waits for the content of the file, which exists before its task writes. */
const untilWritten = (place: Place, attempt: string): Promise<string> =>
  until("output", async () => (await keptStdout(place, attempt).catch(() => "")) || null);

test("a repeated start starts once, and each repetition is answered with the attempt's current report", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const spec = shell(place, "a", 'echo ran >> "$NOTES/ran"; until [ -e "$NOTES/go" ]; do sleep 0.02; done');
  const order = { do: "start", version: startVersionOf(spec), attempt: "a", spec } as const;
  daemon.send(order, order, order);
  const { pid } = await daemon.waitFor("started", "a");
  daemon.send(order);
  expect(await daemon.list()).toMatchObject([
    { is: "started", attempt: "a", pid },
    { is: "started", attempt: "a", pid },
  ]);
  await writeFile(join(place.notes, "go"), "");
  const end = await daemon.end("a");
  daemon.send(order);
  await daemon.untilReports("another report", () => daemon.count("ended") === 2);
  expect(end).toMatchObject({ cause: "exit", exitCode: 0, signal: null, pid });
  expect(await readFile(join(place.notes, "ran"), "utf8")).toBe("ran\n");
});

test("exit codes and signals are reported exactly", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const ends = [0, 1, 7, 126, 127, 255].map(
    (code) => [`exit ${code}`, { cause: "exit", exitCode: code, signal: null, detail: null }] as const,
  );
  const signals = ["KILL", "SEGV", "HUP", "TERM"].map(
    (name) => [`kill -${name} $$`, { cause: "signal", exitCode: null, signal: `SIG${name}`, detail: null }] as const,
  );
  const all = [...ends, ...signals];
  all.forEach(([script], number) => daemon.start(`a${number}`, shell(place, `a${number}`, script)));
  for (const [number, [, expected]] of all.entries()) expect(await daemon.end(`a${number}`)).toMatchObject(expected);
});

test("a program that cannot be started ends its own attempt, and others continue", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  await writeFile(join(place.notes, "plain"), "");
  await chmod(join(place.notes, "plain"), 0o600);
  await symlink("loop", join(place.notes, "loop"));
  const plain = join(place.notes, "plain");
  const long = `/${"x".repeat(300)}`;
  const huge = "x".repeat(200 * 1024);
  const failures: readonly (readonly [Partial<AttemptSpec>, string])[] = [
    [{ program: "/no/such" }, "ENOENT: /no/such"],
    [{ program: "no-such-program" }, "ENOENT: no-such-program"],
    [{ directory: "/no/such" }, "ENOENT: working directory /no/such"],
    [{ directory: plain }, `ENOTDIR: working directory ${plain}`],
    [{ program: plain }, `EACCES: ${plain}`],
    [{ program: "/usr" }, "EACCES: /usr"],
    [{ program: `${plain}/x` }, `ENOTDIR: ${plain}/x`],
    [{ program: join(place.notes, "loop") }, `ELOOP: ${join(place.notes, "loop")}`],
    [{ program: long }, `ENAMETOOLONG: ${long}`],
    [{ arguments: ["-c", huge] }, "E2BIG: /bin/sh"],
    [{ environment: { SECRET: "mark\0" } }, "EINVAL: /bin/sh"],
  ];
  daemon.start("before", shell(place, "before", "echo before; sleep 0.2"));
  failures.forEach(([more], number) => daemon.start(`f${number}`, shell(place, `f${number}`, "true", more)));
  daemon.start("after", shell(place, "after", "echo after"));
  for (const [number, [, detail]] of failures.entries()) {
    expect(await daemon.end(`f${number}`)).toMatchObject({
      cause: "spawn_error",
      detail,
      exitCode: null,
      pid: null,
      startedAt: null,
      durationMs: 0,
    });
  }
  expect(await daemon.end("after")).toMatchObject({ cause: "exit", exitCode: 0 });
  expect(await daemon.end("before")).toMatchObject({ cause: "exit", exitCode: 0 });
});

test("a task has its own session and group, only the given environment, and none of the runner's open files", async () => {
  await using place = await makePlace();
  // the runner itself inherits a file, with a descriptor number far above the others
  await using runner = await startRunner(place, {
    through: ["/bin/bash", "-c", 'exec 200</etc/passwd; exec "$@"', "-"],
  });
  const daemon = await runner.connect();
  daemon.start("a", {
    ...shell(place, "a", ""),
    program: "/bin/bash",
    arguments: ["-c", 'echo "$$" $(ps -o sid=,pgid= -p $$); ls -m /proc/$$/fd; tr "\\0" "\\n" < /proc/$$/environ'],
    environment: { PATH: "/usr/bin:/bin", OWN: "value", NOTES: place.notes },
  });
  const { pid } = await daemon.end("a");
  const [ids, files, ...environment] = (await keptStdout(place, "a")).trimEnd().split("\n");
  expect(ids).toBe(`${pid} ${pid} ${pid}`);
  expect(files).toBe("0, 1, 2");
  expect(environment.sort()).toEqual([`NOTES=${place.notes}`, "OWN=value", "PATH=/usr/bin:/bin"]);
});

test("a task has the given umask and limit of open files, and the former hard limit", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place, { args: ["--umask", "027", "--nofile", "321"] });
  const daemon = await runner.connect();
  daemon.start("a", shell(place, "a", "umask; ulimit -Sn; ulimit -Hn"));
  await daemon.end("a");
  const [umask, soft, hard] = (await keptStdout(place, "a")).trimEnd().split("\n");
  const [, own] = /^Max open files\s+\S+\s+(\S+)/m.exec(await readFile("/proc/self/limits", "utf8"))!;
  expect([umask, soft, hard]).toEqual(["0027", "321", own]);
});

test("standard input is a real pipe that ends, and a task need not read it", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const large = Buffer.from("line\n".repeat(100_000)).toString("base64");
  daemon.start(
    "given",
    shell(place, "given", "cat; cat < /dev/stdin", { standardInput: Buffer.from("hello\n").toString("base64") }),
  );
  daemon.start("large", shell(place, "large", "wc -c", { standardInput: large }));
  daemon.start("unread", shell(place, "unread", "exit 3", { standardInput: large }));
  daemon.start("none", shell(place, "none", "wc -c"));
  expect(await daemon.end("given")).toMatchObject({ exitCode: 0 });
  expect(await daemon.end("large")).toMatchObject({ exitCode: 0 });
  expect(await daemon.end("unread")).toMatchObject({ exitCode: 3 });
  expect(await daemon.end("none")).toMatchObject({ exitCode: 0 });
  expect(await keptStdout(place, "given")).toBe("hello\n");
  expect((await keptStdout(place, "large")).trim()).toBe("500000");
  expect((await keptStdout(place, "none")).trim()).toBe("0");
});

test("environment and standard input are in no file, and files and folders are private to their owner", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place, { args: ["--umask", "000"] });
  const daemon = await runner.connect();
  const spec = shell(place, "a", 'echo out; echo err >&2; until [ -e "$NOTES/go" ]; do sleep 0.02; done', {
    standardInput: Buffer.from("marked-input").toString("base64"),
  });
  daemon.start("a", { ...spec, environment: { ...spec.environment, SECRET: "marked-environment" } });
  await daemon.waitFor("started", "a");
  await untilWritten(place, "a");
  const looseModes: string[] = [];
  const look = async (path: string): Promise<void> => {
    const found = await stat(path);
    if ((found.mode & 0o077) !== 0) looseModes.push(path);
    if (found.isDirectory())
      await Promise.all((await readdir(path)).map((name) => look(join(path, name)).catch(() => {})));
    else if (found.isFile()) expect(await readFile(path, "latin1")).not.toMatch(/marked-|bWFya2Vk/);
  };
  await look(place.dataDir);
  await writeFile(join(place.notes, "go"), "");
  await daemon.end("a");
  await look(place.dataDir);
  expect(looseModes).toEqual([]);
});

test("an attempt that another runner has claimed is refused, even if its claim is empty", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  const dead = { id: "r1", pid: 1, startTime: 1, bootId: "another boot" };
  new Claims(place.dataDir, dead).make("a", { mark: null, graceMs: 0 })!.close();
  await mkdir(claimFolder(place.dataDir, "b"));
  for (const attempt of ["a", "b"]) daemon.start(attempt, shell(place, attempt, 'echo ran >> "$NOTES/ran"'));
  for (const attempt of ["a", "b"]) expect(await daemon.waitFor("refused", attempt)).toMatchObject({ why: "claimed" });
  daemon.cancel("a", 0);
  await daemon.untilReports("refused again", () => daemon.count("refused") === 3);
  expect(await daemon.list()).toEqual([]);
  expect(await readdir(place.notes)).not.toContain("ran");
});

test("without a free file descriptor the order is returned, without a claim, and may be repeated", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place, { args: ["--nofile", "75"] });
  const daemon = await runner.connect();
  daemon.start("a", shell(place, "a", 'until [ -e "$NOTES/go" ]; do sleep 0.02; done'));
  await daemon.waitFor("started", "a");
  daemon.start("b", shell(place, "b", "true"));
  expect(await daemon.waitFor("returned", "b")).toMatchObject({ why: "EMFILE" });
  expect(await readdir(liveFolder(place.dataDir))).toEqual(["a"]);
  await writeFile(join(place.notes, "go"), "");
  await daemon.end("a");
  daemon.start("b", shell(place, "b", "true"));
  expect(await daemon.end("b")).toMatchObject({ cause: "exit", exitCode: 0 });
});

test("an unknown order is dropped, and an order of an unknown version is refused", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.sendText('{"do":"forget"}\nno json\n{"do":"dance","attempt":"a"}\nnull\n');
  daemon.start("../out", shell(place, "x", "true"));
  daemon.send({
    do: "start",
    version: Math.max(...startVersions) + 1,
    attempt: "new",
    spec: shell(place, "new", "true"),
  });
  expect(await daemon.list()).toEqual([{ is: "refused", attempt: "new", why: "version" }]);
  expect(daemon.reports[0]).toEqual({
    is: "hello",
    runner: "r1",
    pid: runner.child.pid,
    startVersions,
  });
  expect(await readdir(liveFolder(place.dataDir))).toEqual([]);
});

test("kept output is moved when an attempt is forgotten, and an attempt without output leaves nothing", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start("att_loud", shell(place, "att_loud", "echo out"));
  daemon.start("att_mute", shell(place, "att_mute", "true"));
  for (const attempt of ["att_loud", "att_mute"]) {
    await daemon.end(attempt);
    // the order may be repeated
    daemon.send({ do: "forget", attempt }, { do: "forget", attempt });
    await daemon.forget(attempt);
  }
  expect(await readdir(liveFolder(place.dataDir))).toEqual([]);
  expect(await readdir(keptFolder(place.dataDir, "att_loud"))).toEqual(["output"]);
  expect(keptFolder(place.dataDir, "att_loud")).toBe(join(place.dataDir, "attempts/kept/ud/att_loud"));
  expect(await readdir(join(place.dataDir, "attempts/kept"))).toEqual(["ud"]);
  expect(await daemon.list()).toEqual([]);
});

test("the pipes of a running task have no name in the file system", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place);
  const daemon = await runner.connect();
  daemon.start("a", shell(place, "a", 'readlink /proc/$$/fd/1; until [ -e "$NOTES/go" ]; do sleep 0.02; done'));
  await daemon.waitFor("started", "a");
  expect(await untilWritten(place, "a")).toMatch(/^pipe:\[\d+\]\n$/);
  await writeFile(join(place.notes, "go"), "");
  await daemon.end("a");
});

import { tempDir } from "@belfry/test-kit";
import BetterSqlite from "better-sqlite3";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Daemon, startDaemon } from "./daemon.ts";
import { processorMs, residentMb } from "./process-use.ts";
import type { Result } from "./result.ts";
import { percentile, spreadOf } from "./stats.ts";

const rounds = 4;
const writesARound = 50;
const debounceMs = 25;
const stabilityMs = 25;

/** Writes the moment its `main` began, in milliseconds. */
const program = String.raw`
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  char line[100];
  int length = snprintf(line, sizeof line, "%lld.%06ld\n", now.tv_sec * 1000LL + now.tv_nsec / 1000000, now.tv_nsec % 1000000);
  int file = open(argv[1], O_WRONLY | O_APPEND | O_CREAT, 0600);
  return write(file, line, length) == length ? 0 : 1;
}
`;

/** From a change to the program that it starts, what many watchers cost, and a storm of changes. */
export async function benchWatchers(): Promise<readonly Result[]> {
  return [await benchLatency(), ...(await benchScale()), ...(await benchStorm())];
}

interface Side {
  readonly watched: string;
  readonly started: string;
  readonly binary: string;
}

async function benchLatency(): Promise<Result> {
  await using dir = await tempDir();
  const [source, binary] = [join(dir.path, "started.c"), join(dir.path, "started")];
  writeFileSync(source, program);
  execFileSync("cc", ["-O2", "-o", binary, source]);
  const sideOf = (name: string): Side => {
    const watched = join(dir.path, name);
    mkdirSync(watched);
    return { watched, started: join(dir.path, `${name}.txt`), binary };
  };
  const ours = sideOf("ours");
  const bare = sideOf("bare");
  const tools = sideOf("tools");
  await using daemon = await startDaemon(join(dir.path, "data"));
  await watchOurs(daemon, ours);
  await using _loop = watchBare(bare, dir.path);
  await using _tools = await watchTools(tools);
  const measured = { ours: [] as number[][], bare: [] as number[][], tools: [] as number[][] };
  for (let round = 0; round <= rounds; round++) {
    const of = {
      ours: (await writeAndWait(ours)).map((ms) => ms - debounceMs - stabilityMs),
      bare: await writeAndWait(bare),
      tools: await writeAndWait(tools),
    };
    // the first warms up what is compiled as it runs
    if (round === 0) continue;
    measured.ours.push(of.ours);
    measured.bare.push(of.bare);
    measured.tools.push(of.tools);
  }
  const p99 = (all: readonly number[][]): number =>
    percentile(
      all.flat().sort((a, b) => a - b),
      99,
    );
  const ratio = p99(measured.ours) / p99(measured.bare);
  return {
    name: "a change, until the program that it starts begins, without debounce and stability",
    baseline: `a bare loop of fs.watch with one FULL commit each; inotifywait in a shell, without a commit: ${textOf(measured.tools)}`,
    ours: textOf(measured.ours),
    bare: textOf(measured.bare),
    figure: `p99 ${ratio.toFixed(2)} times the bare loop's`,
    goal: "≤ 2",
    holds: ratio <= 2,
  };
}

function textOf(measured: readonly number[][]): string {
  const all = measured.flat().sort((a, b) => a - b);
  const { min, max } = spreadOf(
    measured.map((round) =>
      percentile(
        round.toSorted((a, b) => a - b),
        99,
      ),
    ),
  );
  return `p50 ${percentile(all, 50).toFixed(1)} ms, p99 ${percentile(all, 99).toFixed(1)} (${min.toFixed(1)}–${max.toFixed(1)}) ms`;
}

/** Milliseconds from the end of each write to the start of the program. */
async function writeAndWait({ watched, started }: Side): Promise<number[]> {
  const took: number[] = [];
  for (let count = 0; count < writesARound; count++) {
    const before = linesOf(started).length;
    writeFileSync(join(watched, "file"), `${Math.random()}`);
    const at = performance.timeOrigin + performance.now();
    for (let tries = 0; linesOf(started).length === before; tries++) {
      if (tries > 5_000) throw new Error("a change started nothing");
      await pause(2);
    }
    took.push(Number(linesOf(started)[before]) - at);
    // nothing of this one is left when the next one comes
    await pause(60);
  }
  return took;
}

function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

async function watchOurs(daemon: Daemon, { watched, started, binary }: Side): Promise<void> {
  const command = { kind: "exec", program: binary, arguments: [started] };
  const task = await daemon.call("POST", "/v1/tasks", { name: "started", command });
  await daemon.call("POST", "/v1/filesystem-watchers", {
    name: "watched",
    kind: "directory",
    path: watched,
    debounce: `${debounceMs}ms`,
    stability: `${stabilityMs}ms`,
    target_task_id: task.id,
  });
  await untilObserving(daemon);
}

/** The newest are observed last. */
async function untilObserving(daemon: Daemon): Promise<void> {
  for (;;) {
    const { filesystem_watchers } = await daemon.call("GET", "/v1/filesystem-watchers?limit=20");
    const states = (filesystem_watchers as { health: { state: string } }[]).map(({ health }) => health.state);
    if (states.every((state) => state === "observing")) return;
    await pause(20);
  }
}

function watchBare({ watched, started, binary }: Side, dir: string): AsyncDisposable {
  const sqlite = new BetterSqlite(join(dir, "bare.db"));
  sqlite.pragma("journal_mode = WAL");
  sqlite.exec("CREATE TABLE runs (at INTEGER) STRICT");
  sqlite.pragma("synchronous = FULL");
  const insert = sqlite.prepare("INSERT INTO runs VALUES (?)");
  let lastAt = 0;
  const watcher = watch(watched, () => {
    // one write has several notifications
    if (Date.now() - lastAt < 50) return;
    lastAt = Date.now();
    insert.run(lastAt);
    spawn(binary, [started], { stdio: "ignore" });
  });
  return {
    [Symbol.asyncDispose]: async () => {
      watcher.close();
      sqlite.close();
    },
  };
}

async function watchTools({ watched, started, binary }: Side): Promise<AsyncDisposable> {
  const loop = `inotifywait -q -m -e close_write "$1" | while read -r line; do "$2" "$3"; done`;
  const child = spawn("sh", ["-c", loop, "sh", watched, binary, started], { stdio: "ignore", detached: true });
  await pause(500);
  return {
    [Symbol.asyncDispose]: async () => {
      if (child.pid !== undefined) process.kill(-child.pid);
    },
  };
}

const directories = 1_000;
const filesEach = 100;
const recursiveWatchers = 10;
const idleMs = 70_000;

/** A watcher for each of a thousand directories, and ten more that observe all of them. */
async function benchScale(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  const tree = join(dir.path, "tree");
  for (let number = 0; number < directories; number++) {
    mkdirSync(join(tree, `d${number}`), { recursive: true });
    for (let file = 0; file < filesEach; file++) writeFileSync(join(tree, `d${number}`, `f${file}`), "");
  }
  const dataDir = join(dir.path, "data");
  const memoryWithout = await defineMany(dataDir, tree);
  const from = performance.now();
  await using daemon = await startDaemon(dataDir);
  await untilObserving(daemon);
  const startMs = performance.now() - from;
  await pause(3_000);
  const memory = residentMb(daemon.pid) - memoryWithout;
  const before = processorMs(daemon.pid);
  const idleFrom = performance.now();
  await pause(idleMs);
  const idle = ((processorMs(daemon.pid) - before) / (performance.now() - idleFrom)) * 100;
  const { runs } = await daemon.call("GET", "/v1/runs");
  if ((runs as unknown[]).length > 0) throw new Error("nothing has changed, but a run was requested");
  const what = `${directories} watchers of ${filesEach} files each, and ${recursiveWatchers} of all ${directories * filesEach}`;
  return [
    {
      name: `${what}: from the daemon's start until all observe`,
      baseline: "–",
      ours: `${startMs.toFixed(0)} ms`,
      bare: "–",
      figure: `${(startMs / 1_000).toFixed(1)} s`,
      goal: "≤ 5 s",
      holds: startMs <= 5_000,
    },
    {
      name: `${what}: resident memory`,
      baseline: "the same daemon with all of them disabled",
      ours: `${memory.toFixed(0)} MB more`,
      bare: `${memoryWithout.toFixed(0)} MB`,
      figure: `${memory.toFixed(0)} MB more`,
      goal: "≤ 60 MB",
      holds: memory <= 60,
    },
    {
      name: `${what}: processor while nothing changes`,
      baseline: "–",
      ours: `${idle.toFixed(2)} %`,
      bare: "–",
      figure: `${idle.toFixed(2)} %`,
      goal: "≤ 0.5 %",
      holds: idle <= 0.5,
    },
  ];
}

/** Defines them all, and returns the memory of a daemon that has them, started anew, while they are disabled. */
async function defineMany(dataDir: string, tree: string): Promise<number> {
  const ids: string[] = [];
  {
    await using daemon = await startDaemon(dataDir);
    const command = { kind: "exec", program: "/bin/true" };
    const task = await daemon.call("POST", "/v1/tasks", { name: "nothing", command });
    const shared = { kind: "directory", target_task_id: task.id, enabled: false };
    for (let number = 0; number < directories; number++) {
      const path = join(tree, `d${number}`);
      ids.push((await daemon.call("POST", "/v1/filesystem-watchers", { ...shared, name: path, path })).id);
    }
    for (let number = 0; number < recursiveWatchers; number++) {
      const watcher = { ...shared, name: `all ${number}`, path: tree, recursive: true };
      ids.push((await daemon.call("POST", "/v1/filesystem-watchers", watcher)).id);
    }
  }
  let memory: number;
  {
    await using daemon = await startDaemon(dataDir);
    await daemon.call("GET", "/v1/filesystem-watchers?limit=20");
    await pause(3_000);
    memory = residentMb(daemon.pid);
    for (const id of ids) await daemon.call("POST", `/v1/filesystem-watchers/${id}/enable`);
    await untilObserving(daemon);
  }
  return memory;
}

const stormFiles = 100_000;
const stormMaxWaitMs = 1_000;
const apiMsMax = 50;

/** Creates many files in a short time, as unpacking a large tree does, while a client queries the API. */
async function benchStorm(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  const watched = join(dir.path, "watched");
  const ledger = join(dir.path, "ledger");
  mkdirSync(watched);
  await using daemon = await startDaemon(join(dir.path, "data"));
  const command = { kind: "shell", script: `cat "$BELFRY_FILES_FILE" >> '${ledger}'` };
  const task = await daemon.call("POST", "/v1/tasks", { name: "storm", command });
  await daemon.call("POST", "/v1/filesystem-watchers", {
    name: "storm",
    kind: "directory",
    path: watched,
    recursive: true,
    debounce: "100ms",
    stability: "100ms",
    max_wait: `${stormMaxWaitMs}ms`,
    target_task_id: task.id,
  });
  await untilObserving(daemon);
  const probe = new Worker(new URL("./latency-probe.ts", import.meta.url), { workerData: daemon.socket });
  const from = performance.now();
  const script = `cd "$1" && for d in $(seq 1 ${stormFiles / 1_000}); do mkdir d$d && (cd d$d && seq 1 1000 | xargs touch); done`;
  await new Promise((resolve) => spawn("sh", ["-c", script, "sh", watched], { stdio: "ignore" }).on("exit", resolve));
  const stormMs = performance.now() - from;
  const handed = await untilHanded(ledger);
  const took = await new Promise<number[]>((resolve) => {
    probe.once("message", resolve);
    probe.postMessage("stop");
  });
  const { runs } = await daemon.call("GET", "/v1/runs?limit=1000");
  const count = (runs as unknown[]).length;
  const countMax = Math.floor(stormMs / stormMaxWaitMs) + 1;
  const p99 = percentile(
    took.sort((a, b) => a - b),
    99,
  );
  const isExact = handed.length === stormFiles && new Set(handed).size === stormFiles;
  return [
    {
      name: `${stormFiles} files made in ${(stormMs / 1_000).toFixed(1)} s: runs, with each file in exactly one`,
      baseline: "–",
      ours: `${count} runs, ${handed.length} files`,
      bare: "–",
      figure: `${count} runs, ${isExact ? "each file once" : "files missing or repeated"}`,
      goal: `≤ ${countMax} runs, each file once`,
      holds: isExact && count <= countMax,
    },
    {
      name: `a read of the API while ${stormFiles} files are made`,
      baseline: "–",
      ours: `p50 ${percentile(took, 50).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${took.at(-1)!.toFixed(1)} ms`,
      bare: "–",
      figure: `p99 ${p99.toFixed(1)} ms`,
      goal: `p99 ≤ ${apiMsMax} ms`,
      holds: p99 <= apiMsMax,
    },
  ];
}

/** The handed paths, once no more come. */
async function untilHanded(ledger: string): Promise<readonly string[]> {
  let handed: readonly string[] = [];
  for (let quietRounds = 0; quietRounds < 10; quietRounds++) {
    await pause(300);
    const now = existsSync(ledger) ? readFileSync(ledger, "latin1").split("\0").slice(0, -1) : [];
    if (now.length !== handed.length || now.length < stormFiles)
      quietRounds = now.length === handed.length ? quietRounds : 0;
    handed = now;
  }
  return handed;
}

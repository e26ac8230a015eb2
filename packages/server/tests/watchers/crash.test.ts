import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { seed, tempDir, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { endRunners } from "../support/harness.ts";
import { type DaemonProcess, useDaemonProcess } from "../support/processes/daemon-process.ts";
import { seeded } from "../support/seeded.ts";

const kills = 200;
/** Daemons that are killed beside each other: most of a life is waiting. */
const worlds = 4;
/** After it answers, a daemon lives for up to this time. */
const lifeMsMax = 250;

const daemons = useDaemonProcess();
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Each process of a run adds its run's id and the paths that it was given. */
const script = `tr '\\0' '\\n' < "$BELFRY_FILES_FILE" | sed "s|^|$BELFRY_RUN_ID |" >> "$LEDGER"`;

async function layOut(daemon: DaemonProcess, folder: string): Promise<void> {
  const made = await daemon.call("POST", "/v1/tasks", {
    name: "ledger",
    command: { kind: "shell", script },
    environment: { LEDGER: join(folder, "ledger") },
    // a start that a kill interrupted is repeated, by the same run
    retry: { max_attempts: 10, delay: "100ms", backoff: 1, jitter: 0 },
    retention: { runs: 1_000_000 },
  });
  const { status, text } = await daemon.call("POST", "/v1/filesystem-watchers", {
    name: "inbox",
    kind: "directory",
    path: join(folder, "in"),
    recursive: true,
    debounce: "25ms",
    stability: "25ms",
    max_wait: "200ms",
    target_task_id: made.json.id,
  });
  if (status !== 201) throw new Error(text);
  await until("the watcher observes", async () => {
    const { json } = await daemon.call("GET", "/v1/filesystem-watchers");
    return json.filesystem_watchers[0].health.state === "observing";
  });
}

/** Writes each file once, in directories that exist and in new ones. */
function createWriter(root: string, random: () => number) {
  const unfinished = `${root}.unfinished`;
  const written: string[] = [];
  const folders = [root];
  return {
    written,
    write: (): void => {
      if (random() < 0.2) {
        const folder = join(folders[Math.floor(random() * folders.length)]!, `d${written.length}`);
        mkdirSync(folder);
        folders.push(folder);
        if (folders.length > 20) folders.splice(1, 1);
      }
      const path = join(folders[Math.floor(random() * folders.length)]!, `f${written.length}`);
      // a disk that hangs between the creation of a file and its write would make two changes of it
      writeFileSync(unfinished, path);
      renameSync(unfinished, path);
      written.push(path);
    },
  };
}

function readLedger(folder: string): readonly { readonly runId: string; readonly path: string }[] {
  const lines = readFileSync(join(folder, "ledger"), "utf8").split("\n").slice(0, -1);
  return lines.map((line) => {
    const split = line.indexOf(" ");
    return { runId: line.slice(0, split), path: line.slice(split + 1) };
  });
}

/** Kills daemons of one directory, one after the other, while files are written; returns what was written. */
async function killAgainAndAgain(folder: string, random: () => number): Promise<readonly string[]> {
  const dataDir = join(folder, "data");
  const writer = createWriter(join(folder, "in"), random);
  let startMs = 500;
  for (let life = 0; life < kills / worlds; life++) {
    // its runner survives it, as the runners of killed daemons do, and ends with the last daemon
    const daemon = await daemons.spawn({ dataDir });
    try {
      const begunAt = performance.now();
      // a quarter of them before they answer
      const isEarly = life > 0 && random() < 0.25;
      if (!isEarly) {
        expect(await daemon.ready()).toBe(true);
        startMs = performance.now() - begunAt;
      }
      if (life === 0) await layOut(daemon, folder);
      const lastsMs = random() * (isEarly ? startMs : lifeMsMax);
      for (const from = performance.now(); performance.now() - from < lastsMs;) {
        writer.write();
        await pause(random() * 30);
      }
    } finally {
      await daemon.kill();
    }
    if (random() < 0.5) writer.write();
  }
  return writer.written;
}

async function killInOneWorld(index: number): Promise<number> {
  await using dir = await tempDir("bw-");
  const folder = dir.path;
  await mkdir(join(folder, "in"));
  await mkdir(join(folder, "data"), { mode: 0o700 });
  writeFileSync(join(folder, "ledger"), "");
  await using _runners = { [Symbol.asyncDispose]: () => endRunners(join(folder, "data")) };
  const written = await killAgainAndAgain(folder, seeded(seed + index));

  await using last = await daemons.start({ dataDir: join(folder, "data") });
  const missing = () => {
    const found = new Set(readLedger(folder).map(({ path }) => path));
    return written.filter((path) => !found.has(path));
  };
  await until("every file was given to a run", () => missing().length === 0).catch(() => {});
  expect(missing()).toEqual([]);
  // long enough for one more run, if there were one to come
  await pause(500);
  const runsOf = Map.groupBy(readLedger(folder), ({ path }) => path);
  const twice = [...runsOf].filter(([, lines]) => new Set(lines.map(({ runId }) => runId)).size > 1);
  expect(twice).toEqual([]);
  expect(new Set(runsOf.keys())).toEqual(new Set(written));
  expect(last.output()).not.toContain("watchers.failed");
  return written.length;
}

test(
  `no file is lost and none is given to two runs when the daemon is killed at ${kills} random moments`,
  { timeout: 900_000 },
  async () => {
    const counts = await Promise.all(Array.from({ length: worlds }, (_, index) => killInOneWorld(index)));
    expect(Math.min(...counts)).toBeGreaterThan(kills / worlds);
  },
);

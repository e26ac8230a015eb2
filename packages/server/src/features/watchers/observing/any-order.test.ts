import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { seed } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { type ObserverPlace, openObserverPlace, startTestObserver } from "../../../../tests/support/observer.ts";
import { seeded } from "../../../../tests/support/seeded.ts";
import { type RunStanding, recoverRunFiles } from "../handing/recover.ts";
import { knownPathOf } from "../handing/run-files.ts";
import { writeFingerprint } from "./fingerprint.ts";
import { wordsPerFile } from "./known-files.ts";
import { readHanded } from "../handing/handed-known.ts";
import { createNameHash } from "./name-hash.ts";
import { bytesOf } from "./read-directory.ts";

const watcherId = "wch_1";
const hash = createNameHash(new Uint8Array(32).fill(7));

/** A file and its state, as the observer knows them. */
function stateOf(path: string): { readonly file: string; readonly state: string } {
  const words = new Uint32Array(wordsPerFile);
  hash.write(bytesOf(basename(path)), words, 0);
  writeFingerprint(words, 2, { stats: lstatSync(path, { bigint: true }), trust: "inode" });
  return describe(hash.keyOf(bytesOf(dirname(path))), words, 0);
}

function describe(key: string, words: Uint32Array, at: number): { readonly file: string; readonly state: string } {
  return { file: `${key}/${words[at]}/${words[at + 1]}`, state: `${words[at + 2]}/${words[at + 3]}` };
}

function listFiles(root: string): readonly string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** One watcher through changes of files, lost notifications, and crashes between the steps of a hand-over. */
class World {
  readonly place: ObserverPlace;
  readonly random: () => number;
  /** Each state of a file that a run was given. */
  readonly handed = new Map<string, string[]>();
  readonly standings = new Map<string, RunStanding>();
  observer: ReturnType<typeof startTestObserver>;
  /** No more crashes. */
  isCalm = false;
  #names = 0;
  #runs = 0;

  constructor(place: ObserverPlace, random: () => number) {
    this.place = place;
    this.random = random;
    this.observer = startTestObserver(place);
  }

  pick<T>(some: readonly T[]): T {
    return some[Math.floor(this.random() * some.length)]!;
  }

  fresh(prefix: string): string {
    return `${prefix}${++this.#names}`;
  }

  directories(): readonly string[] {
    const entries = readdirSync(this.place.root, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  }

  /** One notification in five is lost. */
  hint(...paths: readonly string[]): void {
    for (const path of paths) {
      if (this.random() < 0.2) continue;
      this.observer.hint(basename(path), dirname(path).slice(this.place.root.length));
    }
  }

  change(): void {
    const { root } = this.place;
    const files = listFiles(root);
    const directories = this.directories();
    const within = this.pick([root, ...directories]);
    const dice = this.random();
    if (dice < 0.3 || files.length === 0) {
      const path = join(within, this.fresh("f"));
      writeFileSync(path, path);
      this.hint(path);
    } else if (dice < 0.5) {
      const path = this.pick(files);
      appendFileSync(path, "more");
      this.hint(path);
    } else if (dice < 0.58) {
      const path = this.pick(files);
      rmSync(path);
      this.hint(path);
    } else if (dice < 0.66) this.rename(this.pick(files), join(within, this.fresh("r")));
    else if (dice < 0.8 || directories.length < 2) {
      const path = join(within, this.fresh("d"));
      mkdirSync(path);
      writeFileSync(join(path, this.fresh("f")), path);
      this.hint(path);
    } else if (dice < 0.86) this.rename(this.pick(directories), join(root, this.fresh("d")));
    else if (dice < 0.92) this.replace(this.pick(directories), this.pick(directories));
    else {
      const path = this.pick(directories);
      rmSync(path, { recursive: true });
      // a new one in its place, often with the same inode
      if (this.random() < 0.5) {
        mkdirSync(path);
        writeFileSync(join(path, this.fresh("f")), path);
      }
      this.hint(path);
    }
  }

  rename(from: string, to: string): void {
    renameSync(from, to);
    this.hint(from, to);
  }

  /** Another directory takes the name of this one. */
  replace(gone: string, taking: string): void {
    if (taking === gone || taking.startsWith(`${gone}/`) || gone.startsWith(`${taking}/`)) return;
    this.rename(gone, join(this.place.root, this.fresh("d")));
    if (existsSync(taking)) this.rename(taking, gone);
  }

  /** Gives what has settled to a run, with a crash at some of its steps. */
  async handOver(): Promise<void> {
    const runId = `run_${++this.#runs}`;
    const { observer, place } = this;
    observer.posted.length = 0;
    observer.take({ is: "prepare", watcherId, runId, joins: false });
    while (!observer.posted.some((each) => "runId" in each)) await observer.clock.advance(0);
    if (observer.last("prepared") === undefined) return;
    const { changes } = readHanded(knownPathOf(place.runsFolder, runId))!;
    const dice = this.isCalm ? 1 : this.random();
    if (dice < 0.15) return this.restart();
    this.standings.set(runId, { is: "live", watcherId });
    if (dice < 0.3) await this.restart();
    else observer.take({ is: "handed", watcherId, runId });
    if (!this.isCalm && this.random() < 0.2) {
      this.standings.set(runId, { is: "never_started", watcherId });
      if (this.random() < 0.5) await this.restart();
      else this.observer.take({ is: "ended", watcherId, runId, wasStarted: false });
      return;
    }
    for (const { key, words } of changes) {
      for (let at = 0; at < words.length; at += wordsPerFile) {
        const { file, state } = describe(key, words, at);
        this.handed.set(file, [...(this.handed.get(file) ?? []), state]);
      }
    }
    this.standings.set(runId, { is: "ended", watcherId });
    if (this.random() < 0.2) await this.restart();
    else this.observer.take({ is: "ended", watcherId, runId, wasStarted: true });
  }

  async restart(): Promise<void> {
    await this.observer.stop();
    const { folder, runsFolder } = this.place;
    const parts = { folder, runsFolder, hash, standings: this.standings };
    recoverRunFiles({ ...parts, observationOf: () => 1, isConcerned: () => true });
    const { order } = this.observer;
    this.observer = startTestObserver(this.place, { clock: this.observer.clock });
    this.observer.take({ is: "observe", watcherId, watcher: order, startedAt: Date.now() });
    await this.observer.clock.advance(1);
  }
}

test("after any order of changes, crashes and lost notifications, each file was given to one run in its last state", async () => {
  for (let sequence = 0; sequence < 60; sequence++) {
    await using place = await openObserverPlace();
    const world = new World(place, seeded(seed + sequence));
    await world.observer.observe();
    for (let step = 0; step < 60; step++) {
      const dice = world.random();
      if (dice < 0.6) world.change();
      else if (dice < 0.9) await world.observer.clock.advance(Math.floor(world.random() * 400));
      else if (dice < 0.98) await world.handOver();
      else await world.restart();
    }
    world.isCalm = true;
    // longer than the pause between two sweeps
    for (let times = 0; times < 3; times++) {
      await world.observer.clock.advance(62_000);
      for (let runs = 0; runs < 10 && world.observer.watched().ready().length > 0; runs++) await world.handOver();
    }
    expect(readdirSync(place.runsFolder)).toEqual([]);
    const what = `sequence ${sequence} of seed ${seed}`;
    expect(
      world.observer.posted.filter(({ is }) => is === "failure"),
      what,
    ).toEqual([]);
    for (const path of listFiles(place.root)) {
      const { file, state } = stateOf(path);
      expect(world.handed.get(file)?.at(-1), `${what}: ${path}`).toBe(state);
    }
    for (const states of world.handed.values()) expect(states, what).toEqual([...new Set(states)]);
    await world.observer.stop();
  }
});

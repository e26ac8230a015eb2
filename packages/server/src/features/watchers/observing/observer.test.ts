import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openObserverPlace, openTestObserver, startTestObserver } from "../../../../tests/support/observer.ts";

/** Writes by paths below the root. */
function writer({ root }: { readonly root: string }) {
  return (path: string, text = "x"): void => writeFileSync(join(root, path), text);
}

test("a new file is handed over once, after debounce and stability", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  write("a");
  observer.hint("a");
  await observer.clock.advance(290);
  expect(observer.last("settled")).toBeUndefined();
  await observer.clock.advance(20);
  expect(observer.last("settled")?.count).toBe(1);
  expect(await observer.handOver()).toEqual(["a"]);
  observer.hint("a");
  await observer.settle();
  expect(observer.last("settled")).toBeUndefined();
  write("a", "longer");
  observer.hint("a");
  await observer.settle();
  expect(await observer.handOver()).toEqual(["a"]);
});

test("a known file that changed is found although a directory was made in the same round", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  write("known");
  observer.hint("known");
  await observer.settle();
  await observer.handOver();
  mkdirSync(join(observer.root, "fresh"));
  write("fresh/a");
  write("known", "changed");
  observer.hint("fresh");
  observer.hint("known");
  await observer.settle();
  expect(await observer.handOver()).toEqual(["fresh/a", "known"]);
});

test("a subdirectory that is replaced under its name is observed", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  const at = (path: string): string => join(observer.root, path);
  for (const name of ["sub", "next", "next/deep"]) mkdirSync(at(name));
  write("sub/old");
  observer.hint("sub");
  observer.hint("next");
  await observer.settle();
  await observer.handOver();
  write("next/new");
  write("next/deep/new");
  renameSync(at("sub"), at("gone"));
  renameSync(at("next"), at("sub"));
  for (const name of ["sub", "gone", "next"]) observer.hint(name);
  await observer.settle();
  expect(await observer.handOver()).toEqual(["gone/old", "sub/deep/new", "sub/new"]);
  // and it notifies
  expect(observer.watches()).toContain("./sub/deep");
  write("sub/deep/later");
  observer.hint("later", "sub/deep");
  await observer.settle();
  expect(await observer.handOver()).toEqual(["sub/deep/later"]);
});

test("a root that is replaced by another tree with the same directories is observed", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  mkdirSync(join(observer.root, "sub"));
  write("sub/old");
  observer.hint("sub");
  await observer.settle();
  await observer.handOver();
  const other = `${observer.root}.other`;
  mkdirSync(join(other, "sub"), { recursive: true });
  writeFileSync(join(other, "sub/new"), "x");
  renameSync(observer.root, `${observer.root}.old`);
  renameSync(other, observer.root);
  // the check of the path, every 10 s
  await observer.clock.advance(11_000);
  expect(await observer.handOver()).toEqual(["sub/new"]);
});

test("a file in the place of the directory costs no rounds, and its end is noticed", async () => {
  await using observer = await openTestObserver();
  const { observer: inner, root, clock } = observer;
  rmSync(root, { recursive: true });
  writeFileSync(root, "a file");
  await clock.advance(11_000);
  expect(observer.last("health")?.code).toBe("not_directory");
  const { begun } = inner.rounds;
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(inner.rounds.begun - begun).toBeLessThan(5);
  unlinkSync(root);
  mkdirSync(root);
  writer(observer)("a");
  await clock.advance(11_000);
  expect(observer.last("health")?.code).toBe("observing");
  expect(await observer.handOver()).toEqual(["a"]);
});

test("files that wait for a run are offered when what still changes is gone", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  write("waits");
  observer.hint("waits");
  await observer.settle();
  expect(observer.last("settled")?.count).toBe(1);
  observer.posted.length = 0;

  write("temporary");
  observer.hint("temporary");
  await observer.clock.advance(10);
  // a run may be requested, but something still changes
  observer.take({ is: "free", watcherId: observer.order.id });
  expect(observer.last("settled")).toBeUndefined();
  unlinkSync(join(observer.root, "temporary"));
  observer.hint("temporary");
  await observer.settle();
  expect(observer.last("settled")?.count).toBe(1);
  expect(await observer.handOver()).toEqual(["waits"]);
});

test("files that wait are offered with those that change, and not before", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  write("waits");
  observer.hint("waits");
  await observer.settle();
  write("later");
  observer.hint("later");
  await observer.clock.advance(10);
  observer.posted.length = 0;
  observer.take({ is: "free", watcherId: observer.order.id });
  await observer.settle();
  expect(observer.posted.filter(({ is }) => is === "settled")).toHaveLength(1);
  expect(await observer.handOver()).toEqual(["later", "waits"]);
});

test("a file that is a pipe, a directory or a link to a directory when it has settled is no change", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  const at = (path: string): string => join(observer.root, path);
  for (const name of ["pipe", "folder", "linked", "file"]) {
    write(name);
    observer.hint(name);
  }
  mkdirSync(`${observer.root}.beside`);
  await observer.clock.advance(50);
  for (const name of ["pipe", "folder", "linked"]) unlinkSync(at(name));
  execFileSync("mkfifo", [at("pipe")]);
  mkdirSync(at("folder"));
  symlinkSync(`${observer.root}.beside`, at("linked"));
  await observer.settle();
  expect(await observer.handOver()).toEqual(["file"]);
});

test("links to files count, those to directories and those that lead nowhere do not", async () => {
  await using observer = await openTestObserver();
  mkdirSync(`${observer.root}.beside`);
  writeFileSync(`${observer.root}.beside/file`, "x");
  symlinkSync(`${observer.root}.beside/file`, join(observer.root, "to-file"));
  symlinkSync(`${observer.root}.beside`, join(observer.root, "to-directory"));
  symlinkSync(`${observer.root}.beside/nothing`, join(observer.root, "to-nothing"));
  observer.hint(null);
  await observer.settle();
  expect(await observer.handOver()).toEqual(["to-file"]);
});

test("dot files and dot directories are left out", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  mkdirSync(join(observer.root, ".hidden"));
  write(".hidden/a");
  write(".dot");
  write("plain");
  observer.hint(null);
  await observer.settle();
  expect(await observer.handOver()).toEqual(["plain"]);
});

test("a name that is not UTF-8 reaches the run byte by byte", async () => {
  await using observer = await openTestObserver({ pattern: "*.bin" });
  const name = Buffer.from([0x61, 0xff, 0xfe, 0x2e, 0x62, 0x69, 0x6e]);
  writeFileSync(Buffer.concat([Buffer.from(`${observer.root}/`), name]), "x");
  observer.hint(null);
  await observer.settle();
  const runId = "run_bytes";
  await observer.handOver(runId);
  const { readFileSync } = await import("node:fs");
  const bytes = readFileSync(join(observer.runsFolder, runId));
  expect(bytes.equals(Buffer.concat([Buffer.from(`${observer.root}/`), name, Buffer.from([0])]))).toBe(true);
});

test("a directory that vanishes during a scan is no failure of the others", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  for (const name of ["one", "two"]) {
    mkdirSync(join(observer.root, name));
    write(`${name}/a`);
    observer.hint(name);
  }
  await observer.clock.advance(5);
  rmSync(join(observer.root, "one"), { recursive: true });
  observer.hint(null, "one");
  await observer.settle();
  expect(await observer.handOver()).toEqual(["two/a"]);
  await observer.clock.advance(11_000);
  expect(observer.last("health")).toBeUndefined();
});

test("a file that never rests is not handed over, and health says so; those beside it are", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  write("rests");
  observer.hint("rests");
  for (let times = 0; times < 60; times++) {
    write("log", "x".repeat(times));
    observer.hint("log");
    await observer.clock.advance(50);
  }
  expect(observer.last("health")?.code).toBe("never_rests");
  expect(await observer.handOver()).toEqual(["rests"]);
  await observer.settle();
  expect(observer.last("health")?.code).toBe("observing");
  expect(await observer.handOver()).toEqual(["log"]);
});

test("more names than are remembered, and a lost notification, are found by the look at the whole directory", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  const names = Array.from({ length: 200 }, (_, index) => `file-${index}`);
  for (const name of names) {
    write(name);
    observer.hint(name);
  }
  write("without-notification");
  await observer.settle();
  expect(await observer.handOver()).toEqual([...names, "without-notification"].toSorted());
  write("in-place");
  await observer.clock.advance(61_000);
  expect(await observer.handOver()).toEqual(["in-place"]);
});

test("a path that cannot be looked at yet has its baseline once it can", async () => {
  await using place = await openObserverPlace();
  const write = writer(place);
  write("old");
  let isRemote = true;
  await using observer = startTestObserver(place, { isRemote: () => isRemote });
  // times of files are coarse: what changed shortly before the definition counts as well
  await observer.observe({ observedFrom: Date.now() + 1_000 });
  await observer.clock.advance(20_000);
  expect(observer.last("health")?.code).toBe("elsewhere");
  isRemote = false;
  await observer.clock.advance(11_000);
  expect(observer.last("health")?.code).toBe("observing");
  expect(observer.last("settled")).toBeUndefined();
});

test("a path that is missing at its definition has no baseline: what appears there is new", async () => {
  await using place = await openObserverPlace();
  rmSync(place.root, { recursive: true });
  await using observer = startTestObserver(place);
  await observer.observe({ observedFrom: Date.now() + 1_000 });
  expect(observer.last("health")?.code).toBe("missing");
  mkdirSync(place.root);
  writer(place)("a");
  await observer.clock.advance(11_000);
  expect(await observer.handOver()).toEqual(["a"]);
});

test("a hint that comes during a long look is taken when that has ended", async () => {
  await using observer = await openTestObserver();
  const write = writer(observer);
  for (let index = 0; index < 600; index++) write(`file-${index}`);
  const { directory } = [...observer.watched().places][0]!;
  directory!.isBeingScanned = true;
  write("late");
  observer.hint("late");
  await observer.clock.advance(5);
  expect(observer.last("settling")).toBeUndefined();
  directory!.isBeingScanned = false;
  await observer.clock.advance(1);
  expect(observer.last("settling")?.isSettling).toBe(true);
  await observer.settle();
  expect(await observer.handOver()).toHaveLength(601);
});

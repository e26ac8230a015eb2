import { tempDir } from "@belfry/test-kit";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { makeTask, untilReady } from "../support/tasks.ts";
import { expectRuns, place, useDaemon, watch } from "../support/watchers.ts";

const daemon = useDaemon();

test("dot files and what is in dot directories are not handed over", async () => {
  await using watching = await watch(daemon(), { watcher: { recursive: true } });
  place(watching.root, ".hidden");
  mkdirSync(watching.path(".git/objects"), { recursive: true });
  place(watching.path(".git/objects"), "object");
  place(watching.root, "visible");
  await expectRuns(watching, ["visible"]);
});

test("a pattern that begins with a dot selects dot files, and a dot directory may be the root", async () => {
  await using outer = await watch(daemon());
  mkdirSync(join(outer.place, ".config"));
  const path = join(outer.place, ".config");
  await using watching = await watch(daemon(), { place: outer.place, watcher: { path, pattern: ".env*" } });
  place(path, "other");
  place(path, ".env");
  expect(await watching.untilEnded(1)).toEqual([[join(path, ".env")]]);
});

test("a pattern selects by the name alone, with braces, classes and question marks, at every depth", async () => {
  await using watching = await watch(daemon(), {
    watcher: { recursive: true, pattern: "{*.csv,report-[0-9]?.json,marker-*}" },
  });
  const names = [
    "a.csv",
    "a.CSV",
    "a.csv.tmp",
    "report-1x.json",
    "report-x1.json",
    "report-12.jsonl",
    "csv/b.csv",
    "csv/b.txt",
    "csv/deep.csv/c.csv",
  ];
  await watching.whileHeld(() => {
    mkdirSync(watching.path("csv/deep.csv"), { recursive: true });
    for (const name of names) place(watching.root, name);
  });
  await expectRuns(watching, ["a.csv", "csv/b.csv", "csv/deep.csv/c.csv", "report-1x.json"]);
});

test("an editor's temporary name that becomes a selected one is handed over, and the other way round is not", async () => {
  await using watching = await watch(daemon(), { watcher: { pattern: "{*.txt,marker-*}" } });
  place(watching.root, "a.txt.tmp");
  place(watching.root, "b.txt");
  await expectRuns(watching, ["b.txt"]);
  place(watching.root, "a.txt");
  await expectRuns(watching, ["a.txt"]);
});

test("a link to a file counts by itself, a link to a directory is neither entered nor handed over, and neither is one to nothing", async () => {
  await using watching = await watch(daemon(), {
    watcher: { recursive: true },
    arrange: (root) => {
      const outside = join(root, "..", "outside");
      mkdirSync(outside);
      writeFileSync(join(outside, "target"), "target");
      symlinkSync("../outside", join(root, "linked"));
    },
  });
  const outside = join(watching.place, "outside");
  place(outside, "new in the linked directory");
  await expectRuns(watching);
  symlinkSync("../outside/target", watching.path("link"));
  await expectRuns(watching, ["link"]);
  // the link itself has not changed
  writeFileSync(join(outside, "target"), "changed");
  await expectRuns(watching);
  symlinkSync("nowhere", watching.path("dangling"));
  symlinkSync("../outside", watching.path("another"));
  symlinkSync(".", watching.path("circle"));
  await expectRuns(watching);
});

test("pipes and sockets are not handed over", async () => {
  await using watching = await watch(daemon());
  execFileSync("mkfifo", [watching.path("pipe")]);
  await expectRuns(watching);
  place(watching.root, "file");
  await expectRuns(watching, ["file"]);
});

test("names that are not UTF-8, and names with spaces, line ends and quotes, reach the task byte for byte", async () => {
  await using watching = await watch(daemon(), { watcher: { recursive: true } });
  const folder = Buffer.from([0x64, 0xff, 0xfe]);
  const names = [
    Buffer.from([0x80, 0x81]),
    Buffer.from("caf\u00e9", "latin1"),
    Buffer.from("café"),
    Buffer.from(" a\nb\t'\"\\*?$(x) "),
    Buffer.from("-rf"),
    Buffer.concat([folder, Buffer.from("/"), Buffer.from([0xc3, 0x28])]),
    Buffer.from("x".repeat(255)),
  ];
  const root = Buffer.from(`${watching.root}/`);
  await watching.whileHeld(() => {
    mkdirSync(Buffer.concat([root, folder]));
    for (const name of names) writeFileSync(Buffer.concat([root, name]), "x");
  });
  const [, run] = await watching.untilEnded(2).then(() => watching.runs());
  const handed = readFileSync(join(watching.place, "handed", run.id))
    .toString("latin1")
    .split("\0")
    .slice(0, -1);
  const expected = names.map((name) => Buffer.concat([root, name]).toString("latin1"));
  expect(handed.toSorted()).toEqual(expected.toSorted());
  expect(await watching.runs()).toHaveLength(2);
});

test("a watcher above the daemon's data directory hands over other files, and never one of the data directory", async () => {
  await using dir = await tempDir("bw-");
  const dataDir = join(dir.path, "in", "data");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await using own = await startDaemon({ dataDir });
  await untilReady(own, await makeTask(own, "true"));
  await using watching = await watch(own, { place: dir.path, watcher: { recursive: true } });
  // each run writes into the data directory: were it observed, they would never end
  for (const name of ["one", "two", "three"]) {
    place(watching.root, name);
    await expectRuns(watching, [name]);
  }
});

test("a link that leads into the data directory is refused when it is observed", async () => {
  await using watching = await watch(daemon(), { health: "any" });
  symlinkSync(daemon().dataDir, join(watching.place, "link"));
  const refused = await daemon().call("PATCH", `/v1/filesystem-watchers/${watching.id}`, {
    path: join(watching.place, "link", "watchers"),
  });
  expect([refused.status, refused.json.error?.field ?? refused.json.field]).toEqual([400, "path"]);
  const later = join(watching.place, "later");
  await watching.patch({ path: later });
  await watching.untilHealth("missing_path");
  symlinkSync(daemon().dataDir, later);
  const { health } = await watching.untilHealth("error");
  expect(health.reason).toContain("data directory");
  expect(await watching.runs()).toEqual([]);
});

test("two watchers of the same file each hand it to their own run", async () => {
  await using one = await watch(daemon());
  await using two = await watch(daemon(), { place: one.place });
  place(one.root, "file");
  expect([await one.untilEnded(1), await two.untilEnded(1)]).toEqual([[["file"]], [["file"]]]);
  linkSync(one.path("file"), one.path("hard"));
  expect([await one.untilEnded(2), await two.untilEnded(2)]).toEqual([
    [["file"], ["hard"]],
    [["file"], ["hard"]],
  ]);
});

import { tempDir } from "@belfry/test-kit";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectRuns, place, useDaemon, watch, watchChanged } from "../support/watchers.ts";

const daemon = useDaemon();

test("a file that is created is handed to one run, and one that was there before to none", async () => {
  await using watching = await watch(daemon(), { arrange: (root) => writeFileSync(join(root, "former"), "former") });
  await watching.whileHeld(() => writeFileSync(watching.path("new"), "new"));
  await expectRuns(watching, ["new"]);
});

test("files that change together are handed to one run", async () => {
  await using watching = await watchChanged(daemon(), (root) => {
    for (const name of ["c", "a", "b"]) place(root, name);
  });
  await expectRuns(watching, ["a", "b", "c"]);
});

test("an appended, truncated, touched or overwritten file is handed over each time", async () => {
  await using watching = await watch(daemon(), { arrange: (root) => writeFileSync(join(root, "file"), "first\n") });
  appendFileSync(watching.path("file"), "second\n");
  await expectRuns(watching, ["file"]);
  truncateSync(watching.path("file"), 3);
  await expectRuns(watching, ["file"]);
  utimesSync(watching.path("file"), 1_000, 1_000);
  await expectRuns(watching, ["file"]);
  await watching.whileHeld(() => writeFileSync(watching.path("file"), "fir"));
  await expectRuns(watching, ["file"]);
});

test("an empty file is a file", async () => {
  await using watching = await watch(daemon());
  writeFileSync(watching.path("done.flag"), "");
  await expectRuns(watching, ["done.flag"]);
});

test("a file that is moved in, within the directory, or over another is handed over under its new name only", async () => {
  await using watching = await watch(daemon(), {
    arrange: (root) => {
      writeFileSync(join(root, "former"), "former");
      writeFileSync(join(root, "target"), "target");
    },
  });
  writeFileSync(join(watching.place, "outside"), "outside");
  renameSync(join(watching.place, "outside"), watching.path("moved in"));
  await expectRuns(watching, ["moved in"]);
  renameSync(watching.path("former"), watching.path("renamed"));
  await expectRuns(watching, ["renamed"]);
  renameSync(watching.path("renamed"), watching.path("target"));
  await expectRuns(watching, ["target"]);
});

test("an atomic save is one change, although size and content stay the same", async () => {
  await using watching = await watch(daemon(), { arrange: (root) => place(root, "config", "same") });
  place(watching.root, "config", "same");
  await expectRuns(watching, ["config"]);
});

test("a file that is back with the same time and size after a change is still another file", async () => {
  await using watching = await watch(daemon(), {
    arrange: (root) => {
      writeFileSync(join(root, "file"), "1234");
      utimesSync(join(root, "file"), 1_000, 1_000);
    },
  });
  const beside = join(watching.place, "beside");
  writeFileSync(beside, "5678");
  utimesSync(beside, 1_000, 1_000);
  renameSync(beside, watching.path("file"));
  await expectRuns(watching, ["file"]);
});

test("a hard link counts under each of its names", async () => {
  await using watching = await watch(daemon(), { arrange: (root) => writeFileSync(join(root, "one"), "one") });
  linkSync(watching.path("one"), watching.path("two"));
  await expectRuns(watching, ["two"]);
});

test("a deletion, a move out, and a change of permissions start no run", async () => {
  await using watching = await watch(daemon(), {
    arrange: (root) => {
      for (const name of ["deleted", "moved", "closed"]) writeFileSync(join(root, name), name);
    },
  });
  rmSync(watching.path("deleted"));
  await expectRuns(watching);
  renameSync(watching.path("moved"), join(watching.place, "outside"));
  await expectRuns(watching);
  chmodSync(watching.path("closed"), 0o600);
  await expectRuns(watching);
});

test("a file that is deleted before it has settled starts no run, and one that is made again is handed over", async () => {
  await using watching = await watchChanged(daemon(), (root) => {
    place(root, "brief");
    rmSync(join(root, "brief"));
  });
  await expectRuns(watching);
  place(watching.root, "brief");
  await expectRuns(watching, ["brief"]);
  rmSync(watching.path("brief"));
  await expectRuns(watching);
  place(watching.root, "brief");
  await expectRuns(watching, ["brief"]);
});

test("a file that is replaced by a directory, and back, is handed over as a file only", async () => {
  await using watching = await watch(daemon(), {
    watcher: { recursive: true },
    arrange: (root) => writeFileSync(join(root, "thing"), "file"),
  });
  rmSync(watching.path("thing"));
  mkdirSync(watching.path("thing"));
  place(watching.root, "thing/inside");
  await expectRuns(watching, ["thing/inside"]);
  rmSync(watching.path("thing"), { recursive: true });
  place(watching.root, "thing");
  await expectRuns(watching, ["thing"]);
});

test("a directory that is moved in brings all its files, and one that is moved within brings them under their new paths", async () => {
  await using watching = await watch(daemon(), { watcher: { recursive: true } });
  const beside = join(watching.place, "beside");
  mkdirSync(join(beside, "deep", "deeper"), { recursive: true });
  writeFileSync(join(beside, "one"), "one");
  writeFileSync(join(beside, "deep", "deeper", "two"), "two");
  renameSync(beside, watching.path("tree"));
  await expectRuns(watching, ["tree/deep/deeper/two", "tree/one"]);
  renameSync(watching.path("tree"), watching.path("other"));
  await expectRuns(watching, ["other/deep/deeper/two", "other/one"]);
  // its former watches must not report under the old name
  place(watching.path("other/deep/deeper"), "three");
  await expectRuns(watching, ["other/deep/deeper/three"]);
});

test("without recursion, what happens in subdirectories starts no run", async () => {
  await using watching = await watch(daemon(), { arrange: (root) => mkdirSync(join(root, "sub")) });
  writeFileSync(watching.path("sub/file"), "file");
  mkdirSync(watching.path("another"));
  await expectRuns(watching);
});

test("a copy into the directory is handed over once it is complete", async () => {
  await using beside = await tempDir("bw-");
  const large = join(beside.path, "large");
  writeFileSync(large, Buffer.alloc(8 * 1024 * 1024, 1));
  await using watching = await watchChanged(daemon(), (root) => copyFileSync(large, join(root, "large")));
  await expectRuns(watching, ["large"]);
});

test("a failed run's files are not handed over again", async () => {
  await using watching = await watch(daemon(), { script: "exit 3" });
  place(watching.root, "a");
  await expectRuns(watching, ["a"]);
  expect((await watching.runs()).map((run) => run.state)).toEqual(["failed", "failed"]);
});

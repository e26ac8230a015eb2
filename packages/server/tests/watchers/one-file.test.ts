import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Harness } from "../support/harness.ts";
import { place, useDaemon, watch, type Watching } from "../support/watchers.ts";

const daemon = useDaemon();

test("one exact file is handed over when it appears, changes and is replaced; its neighbours, its deletion and its move away are nothing", async () => {
  await using watching = await watchFile(daemon());
  place(watching.root, "file", "1");
  await expectRun(watching);
  appendFileSync(watching.path("file"), "2");
  await expectRun(watching);
  place(watching.root, "file", "3");
  await expectRun(watching);
  place(watching.root, "file.bak");
  place(watching.root, "fil");
  rmSync(watching.path("file"));
  place(watching.root, "file", "4");
  await expectRun(watching);
  renameSync(watching.path("file"), watching.path("elsewhere"));
  place(watching.root, "file", "5");
  await expectRun(watching);
});

test("a file that is missing below an existing directory is observed, and one below a missing directory is a missing path", async () => {
  await using watching = await watchFile(daemon());
  expect((await watching.read()).health).toMatchObject({
    state: "observing",
    reason: expect.stringContaining("does not exist"),
  });
  rmSync(watching.root, { recursive: true });
  await watching.untilHealth("missing_path");
  mkdirSync(watching.root);
  await watching.untilHealth("observing");
  place(watching.root, "file");
  await expectRun(watching);
});

test("a file that is replaced by a directory is handed over only when it is a file again", async () => {
  await using watching = await watchFile(daemon(), (root) => writeFileSync(join(root, "file"), "file"));
  rmSync(watching.path("file"));
  mkdirSync(watching.path("file"));
  await watching.untilHealth("degraded");
  writeFileSync(watching.path("file/inside"), "inside");
  rmSync(watching.path("file"), { recursive: true });
  place(watching.root, "file");
  await watching.untilHealth("observing");
  await expectRun(watching);
});

test("a file behind a directory of links is handed over when the directory is swapped, as Kubernetes does for a ConfigMap", async () => {
  await using watching = await watchFile(daemon(), (root) => {
    mkdirSync(join(root, "..v1"));
    writeFileSync(join(root, "..v1", "file"), "1");
    symlinkSync("..v1", join(root, "..data"));
    symlinkSync("..data/file", join(root, "file"));
  });
  for (const version of ["..v2", "..v3"]) {
    mkdirSync(watching.path(version));
    writeFileSync(watching.path(`${version}/file`), version);
    symlinkSync(version, watching.path("..data_tmp"));
    renameSync(watching.path("..data_tmp"), watching.path("..data"));
    rmSync(watching.path(version === "..v2" ? "..v1" : "..v2"), { recursive: true });
    await expectRun(watching);
  }
  // a change in place, behind both links
  appendFileSync(watching.path("..v3/file"), "more");
  await expectRun(watching);
});

test("a link that is switched to another file is a change, and one that leads nowhere is a file that does not exist yet", async () => {
  await using watching = await watchFile(daemon(), (root) => {
    for (const name of ["one", "two"]) writeFileSync(join(root, name), name);
    symlinkSync("one", join(root, "file"));
  });
  symlinkSync("two", watching.path("next"));
  renameSync(watching.path("next"), watching.path("file"));
  await expectRun(watching);
  rmSync(watching.path("two"));
  place(watching.root, "two", "again");
  await expectRun(watching);
});

function watchFile(on: Harness, arrange: (root: string) => void = () => {}) {
  return watch(on, {
    watcher: { kind: "file" },
    arrange,
    member: "file",
  });
}

const counts = new WeakMap<Watching, number>();

/** One more run than before, of this file. */
async function expectRun(watching: Watching): Promise<void> {
  const count = (counts.get(watching) ?? 0) + 1;
  counts.set(watching, count);
  const lists = await watching.untilEnded(count);
  expect(lists).toEqual(Array.from({ length: count }, () => ["file"]));
}

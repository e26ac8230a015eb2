import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectRuns, place, useDaemon, watch } from "../support/watchers.ts";

const daemon = useDaemon();

test("a watched directory that is removed and made again is observed again, and only its new files are handed over", async () => {
  await using watching = await watch(daemon(), { arrange: (root) => writeFileSync(join(root, "former"), "former") });
  rmSync(watching.root, { recursive: true });
  await watching.untilHealth("missing_path");
  mkdirSync(watching.root);
  place(watching.root, "new");
  await watching.untilHealth("observing");
  await expectRuns(watching, ["new"]);
  // many times, too quickly for the health to show it
  for (let time = 0; time < 20; time++) {
    rmSync(watching.root, { recursive: true });
    mkdirSync(watching.root);
  }
  place(watching.root, "last");
  await expectRuns(watching, ["last"]);
});

test("a watched tree that is moved away and back starts no run, and one that changed meanwhile hands over the change only", async () => {
  await using watching = await watch(daemon(), {
    watcher: { recursive: true },
    arrange: (root) => {
      mkdirSync(join(root, "sub"));
      for (const name of ["a", "sub/b", "sub/c"]) writeFileSync(join(root, name), name);
    },
  });
  const away = join(watching.place, "away");
  renameSync(watching.root, away);
  await watching.untilHealth("missing_path");
  renameSync(away, watching.root);
  await watching.untilHealth("observing");
  await expectRuns(watching);
  renameSync(watching.root, away);
  await watching.untilHealth("missing_path");
  writeFileSync(join(away, "sub/b"), "changed");
  renameSync(away, watching.root);
  await expectRuns(watching, ["sub/b"]);
});

test("a directory whose parents do not exist is observed once it exists, with the files that came with it", async () => {
  await using watching = await watch(daemon(), {
    watcher: { recursive: true },
    arrange: (root) => rmSync(root, { recursive: true }),
    health: "missing_path",
  });
  const beside = join(watching.place, "beside");
  mkdirSync(join(beside, "sub"), { recursive: true });
  writeFileSync(join(beside, "sub", "file"), "file");
  renameSync(beside, watching.root);
  await watching.untilHealth("observing");
  await expectRuns(watching, ["sub/file"]);
});

test("each missing parent is waited for in turn", async () => {
  await using outer = await watch(daemon());
  const path = join(outer.place, "one", "two", "three");
  await using watching = await watch(daemon(), { place: outer.place, watcher: { path }, health: "missing_path" });
  for (const name of ["one", "one/two"]) {
    mkdirSync(join(outer.place, name));
    expect((await watching.read()).health.state).toBe("missing_path");
  }
  mkdirSync(path);
  await watching.untilHealth("observing");
  place(path, "file");
  expect(await watching.untilEnded(1)).toEqual([[join(path, "file")]]);
});

test("a path that is a file is an error until a directory takes its place", async () => {
  await using watching = await watch(daemon(), {
    arrange: (root) => {
      rmSync(root, { recursive: true });
      writeFileSync(root, "a file");
    },
    health: "error",
  });
  rmSync(watching.root);
  mkdirSync(watching.root);
  await watching.untilHealth("observing");
  place(watching.root, "file");
  await expectRuns(watching, ["file"]);
});

test("a linked root is followed when the link is switched to another directory, as a deployment does", async () => {
  await using watching = await watch(daemon(), {
    watcher: { recursive: true },
    arrange: (root) => {
      for (const release of ["1", "2"]) {
        mkdirSync(`${root}-${release}/sub`, { recursive: true });
        writeFileSync(`${root}-${release}/sub/code`, `release ${release}`);
      }
      rmSync(root, { recursive: true });
      symlinkSync("in-1", root);
    },
  });
  switchLink(watching.root, "in-2");
  await expectRuns(watching, ["sub/code"]);
  // the former target is not observed any more
  place(`${watching.root}-1`, "late");
  await expectRuns(watching);
  place(`${watching.root}-2/sub`, "fresh");
  await expectRuns(watching, ["sub/fresh"]);
});

test("a link on the way to the root, relative or absolute, is followed when it is switched", async () => {
  await using outer = await watch(daemon());
  const base = outer.place;
  for (const release of ["1", "2"]) mkdirSync(join(base, "releases", release, "data"), { recursive: true });
  symlinkSync(join(base, "releases"), join(base, "via"));
  symlinkSync("via/1", join(base, "current"));
  const path = join(base, "current", "data");
  await using watching = await watch(daemon(), { place: base, watcher: { path } });
  place(join(base, "releases", "1", "data"), "one");
  expect(await watching.untilEnded(1)).toEqual([[join(path, "one")]]);
  switchLink(join(base, "current"), "via/2");
  place(join(base, "releases", "2", "data"), "two");
  expect((await watching.untilEnded(2))[1]).toEqual([join(path, "two")]);
});

test("a link to nothing, and links in a circle, are a missing path", async () => {
  await using dangling = await watch(daemon(), {
    arrange: (root) => {
      rmSync(root, { recursive: true });
      symlinkSync("nowhere", root);
    },
    health: "missing_path",
  });
  mkdirSync(join(dangling.place, "nowhere"));
  await dangling.untilHealth("observing");
  place(join(dangling.place, "nowhere"), "file");
  await expectRuns(dangling, ["file"]);

  await using circle = await watch(daemon(), {
    arrange: (root) => {
      rmSync(root, { recursive: true });
      symlinkSync("other", root);
      symlinkSync("in", join(root, "..", "other"));
    },
    health: "missing_path",
  });
  rmSync(join(circle.place, "other"));
  mkdirSync(join(circle.place, "other"));
  await circle.untilHealth("observing");
});

test("directories that come and go while they are read do no harm", async () => {
  await using watching = await watch(daemon(), { watcher: { recursive: true } });
  for (let time = 0; time < 300; time++) {
    mkdirSync(watching.path(`d/${time}/e`), { recursive: true });
    writeFileSync(watching.path(`d/${time}/e/f`), "f");
    rmSync(watching.path("d"), { recursive: true });
  }
  await expectRuns(watching);
  mkdirSync(watching.path("d/0/e"), { recursive: true });
  place(watching.path("d/0/e"), "f");
  await expectRuns(watching, ["d/0/e/f"]);
});

/** One rename, so that the link always leads somewhere. */
function switchLink(link: string, target: string): void {
  symlinkSync(target, `${link}.next`);
  renameSync(`${link}.next`, link);
}

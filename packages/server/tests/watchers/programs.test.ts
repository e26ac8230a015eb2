import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { expectRuns, useDaemon, watch } from "../support/watchers.ts";

const daemon = useDaemon();

/** Without the program there is nothing to test: continuous integration installs it. */
const hasProgram = (program: string): boolean => spawnSync("which", [program]).status === 0;

const environment = { PATH: process.env["PATH"], HOME: "/nonexistent", LC_ALL: "C.UTF-8", GIT_CONFIG_NOSYSTEM: "1" };

function run(cwd: string, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], env: environment, encoding: "utf8" });
}

/** Writes a tree of so many files, and returns their paths. */
function makeTree(root: string, count: number, content = "content"): readonly string[] {
  const names = Array.from({ length: count }, (_, index) => `d${index % 7}/e${index % 31}/f${index}`);
  for (const name of names) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), `${content} of ${name}\n`);
  }
  return names;
}

function filesIn(root: string): readonly string[] {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" });
  return all.filter(
    (name) => !name.split("/").some((part) => part.startsWith(".")) && statSync(join(root, name)).isFile(),
  );
}

test.skipIf(!hasProgram("git"))(
  "git checkout hands over exactly the files that differ between the branches, and none of .git",
  async () => {
    await using watching = await watch(daemon(), {
      watcher: { recursive: true },
      arrange: (root) => {
        const git = (...args: readonly string[]) =>
          run(root, "git", "-c", "user.name=n", "-c", "user.email=e", "-c", "gc.auto=0", ...args);
        git("init", "-q", "-b", "one");
        const names = makeTree(root, 3_000);
        git("add", ".");
        git("commit", "-qm", "one");
        git("checkout", "-qb", "two");
        for (const [index, name] of names.entries()) {
          if (index % 3 === 0) writeFileSync(join(root, name), `other content ${index}\n`);
          if (index % 10 === 1) rmSync(join(root, name));
        }
        makeTree(join(root, "fresh"), 500);
        git("add", "-A", ".");
        git("commit", "-qm", "two");
        git("checkout", "-q", "one");
      },
    });
    for (const [from, to] of [
      ["one", "two"],
      ["two", "one"],
    ] as const) {
      const differing = run(watching.root, "git", "diff", "--name-only", "--no-renames", "--diff-filter=AM", from, to);
      await watching.whileHeld(() => void run(watching.root, "git", "checkout", "-q", to));
      await expectRuns(watching, differing.trim().split("\n"));
    }
  },
);

test.skipIf(!hasProgram("git"))("git clone hands over the tree that it checks out", async () => {
  await using watching = await watch(daemon(), {
    watcher: { recursive: true },
    arrange: (root) => {
      const origin = join(root, "..", "origin");
      mkdirSync(origin);
      makeTree(origin, 500);
      run(origin, "git", "init", "-q");
      run(origin, "git", "add", ".");
      run(origin, "git", "-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "one");
    },
  });
  await watching.whileHeld(() => void run(watching.root, "git", "clone", "-q", "../origin", "clone"));
  await expectRuns(
    watching,
    filesIn(watching.path("clone")).map((name) => `clone/${name}`),
  );
});

test.skipIf(!hasProgram("rsync"))(
  "rsync hands over what it transfers under its final names, and nothing when there is nothing to transfer",
  async () => {
    await using watching = await watch(daemon(), { watcher: { recursive: true } });
    const source = join(watching.place, "source");
    const names = makeTree(source, 1_000);
    const sync = (...more: readonly string[]) => run(watching.place, "rsync", "-a", ...more, "source/", "in/");
    await watching.whileHeld(() => void sync());
    await expectRuns(watching, names);
    await watching.whileHeld(() => void sync());
    await expectRuns(watching);
    writeFileSync(join(source, names[5]!), "changed");
    rmSync(join(source, names[6]!));
    await watching.whileHeld(() => void sync("--delete", "--exclude=marker-*"));
    await expectRuns(watching, [names[5]!]);
    writeFileSync(join(source, names[7]!), "changed in place, and longer than before");
    await watching.whileHeld(() => void sync("--inplace"));
    await expectRuns(watching, [names[7]!]);
  },
);

test.skipIf(!hasProgram("vi"))(
  "a save in vim hands over the file, and its backup only where the pattern selects it",
  async () => {
    await using all = await watch(daemon(), { arrange: (root) => writeFileSync(join(root, "notes.txt"), "first\n") });
    await using texts = await watch(daemon(), { place: all.place, watcher: { pattern: "*.txt" } });
    const edit = (...settings: readonly string[]) =>
      run(
        all.root,
        "vi",
        "-u",
        "NONE",
        "-N",
        "-es",
        "-c",
        "set backupskip=",
        ...settings.flatMap((each) => ["-c", each]),
        "-c",
        "normal omore",
        "-c",
        "wq",
        "notes.txt",
      );
    await all.whileHeld(() => void edit("set nobackup writebackup backupcopy=no"));
    await expectRuns(all, ["notes.txt"]);
    await all.whileHeld(() => void edit("set nobackup nowritebackup"));
    await expectRuns(all, ["notes.txt"]);
    await all.whileHeld(() => void edit("set backup backupcopy=no"));
    await expectRuns(all, ["notes.txt", "notes.txt~"]);
    await all.whileHeld(() => void edit("set backup backupcopy=yes backupext=.bak"));
    await expectRuns(all, ["notes.txt", "notes.txt.bak"]);
    expect(new Set((await texts.untilEnded(4)).flat())).toEqual(new Set(["notes.txt"]));
  },
);

test.skipIf(!hasProgram("perl"))(
  "sed -i and perl -i hand over the file that they edited, and none of their temporary files",
  async () => {
    await using watching = await watch(daemon(), { arrange: (root) => writeFileSync(join(root, "conf"), "a=1\n") });
    await watching.whileHeld(() => void run(watching.root, "sed", "-i", "s/1/2/", "conf"));
    await expectRuns(watching, ["conf"]);
    await watching.whileHeld(() => void run(watching.root, "perl", "-pi", "-e", "s/2/3/", "conf"));
    await expectRuns(watching, ["conf"]);
    await watching.whileHeld(() => void run(watching.root, "sed", "-i.bak", "s/3/4/", "conf"));
    // the backup is the former file under another name
    await expectRuns(watching, ["conf", "conf.bak"]);
  },
);

test("cp -a, mv from another directory, and mv from another file system hand over whole trees", async () => {
  await using watching = await watch(daemon(), { watcher: { recursive: true } });
  const source = join(watching.place, "source");
  const names = makeTree(source, 500);
  for (const name of names) utimesSync(join(source, name), 1_000, 1_000);
  await watching.whileHeld(() => void run(watching.place, "cp", "-a", "source", "in/copied"));
  await expectRuns(
    watching,
    names.map((name) => `copied/${name}`),
  );
  await watching.whileHeld(() => void run(watching.place, "mv", "source", "in/moved"));
  await expectRuns(
    watching,
    names.map((name) => `moved/${name}`),
  );
  const elsewhere = run("/", "mktemp", "-d", "-p", "/dev/shm").trim();
  try {
    makeTree(join(elsewhere, "tree"), 300);
    await watching.whileHeld(() => void run("/", "mv", join(elsewhere, "tree"), watching.path("far")));
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
  await expectRuns(
    watching,
    filesIn(watching.path("far")).map((name) => `far/${name}`),
  );
});

test("tar x hands over all that it unpacks, although the files keep their old times, and again when it unpacks over them", async () => {
  await using watching = await watch(daemon(), { watcher: { recursive: true } });
  const names = makeTree(join(watching.place, "source"), 2_000);
  run(watching.place, "tar", "-cf", "tree.tar", "--mtime=2001-02-03", "-C", "source", ".");
  for (let time = 0; time < 2; time++) {
    await watching.whileHeld(() => void run(watching.root, "tar", "-xf", "../tree.tar"));
    await expectRuns(watching, names);
  }
});

test("an editor that renames the former file to a backup and writes a new one hands over both, under a pattern one", async () => {
  await using all = await watch(daemon(), { arrange: (root) => writeFileSync(join(root, "main.c"), "1") });
  await using sources = await watch(daemon(), { place: all.place, watcher: { pattern: "*.c" } });
  await all.whileHeld(() => {
    renameSync(all.path("main.c"), all.path("main.c~"));
    writeFileSync(all.path("#main.c#"), "2");
    writeFileSync(all.path("main.c"), "2");
    rmSync(all.path("#main.c#"));
  });
  await expectRuns(all, ["main.c", "main.c~"]);
  expect(await sources.untilEnded(1)).toEqual([["main.c"]]);
});

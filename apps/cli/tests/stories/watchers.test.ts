import type { FilesystemWatcher, FilesystemWatcherList, WatcherHealth } from "@belfry/client";
import { tempDir, until } from "@belfry/test-kit";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

test("a watcher is added, found by its name, changed, disabled, enabled and deleted", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  await belfry.text("task", "add", "Load", "--", "true");
  await belfry.text("task", "add", "Other", "--", "true");
  const path = join(dir.path, "inbox");
  expect(
    await belfry.text("watcher", "add", "Inbox", "--task", "load", "--directory", path, "--pattern", "*.csv"),
  ).toMatch(new RegExp(`^Added watcher "Inbox" \\(wch_\\w{20}\\)\nWatches ${path}/\\*\\.csv\nHealth: [a-z ]+: .+\n$`));
  expect(await belfry.json<FilesystemWatcher>("watcher", "show", "inbox")).toMatchObject({
    kind: "directory",
    path,
    pattern: "*.csv",
    recursive: false,
    debounce: "500ms",
    stability: "1s",
    max_wait: "1m",
    on_start: "scan",
    enabled: true,
  });
  expect(
    await belfry.text(
      "watcher",
      "edit",
      "Inbox",
      "--recursive",
      "--debounce",
      "2s",
      "--max-wait",
      "5m",
      "--task",
      "Other",
    ),
  ).toBe('Changed watcher "Inbox"\n');
  expect(await belfry.text("watcher", "disable", "Inbox")).toBe('Disabled watcher "Inbox"\n');
  expect(await belfry.text("watcher", "disable", "Inbox")).toBe('Watcher "Inbox" is already disabled\n');
  const shown = await belfry.text("watcher", "show", "Inbox");
  expect(shown).toMatch(new RegExp(`Watches +${path}/\\*\\.csv, recursive\nTask +Other \\(tsk_`));
  expect(shown).toMatch(/State +disabled\nHealth +stopped: The watcher is disabled \(since \d{4}-[^]*Debounce +2s\n/);
  expect(await belfry.text("watcher", "list")).toMatch(/Inbox +Other +.+\*\.csv, recursive +disabled +wch_/);
  expect(await belfry.text("task", "show", "Other")).toMatch(/WATCHER +WATCHES +STATE[^]*Inbox/);
  expect(await belfry.text("why", "Other")).toContain("\n  watcher Inbox: The watcher is disabled\n");
  expect(await belfry.text("watcher", "edit", "Inbox", "--no-pattern", "--no-recursive")).toContain("Changed");
  expect(await belfry.json("watcher", "show", "Inbox")).toMatchObject({ pattern: "*", recursive: false });
  const file = await belfry.json("watcher", "edit", "Inbox", "--file", join(dir.path, "one"));
  expect(file).toMatchObject({ kind: "file", path: join(dir.path, "one"), recursive: false });
  expect(file).not.toHaveProperty("pattern");
  expect(await belfry.text("watcher", "enable", "Inbox")).toBe('Enabled watcher "Inbox"\n');
  const { filesystem_watchers: found } = await belfry.json<FilesystemWatcherList>("watcher", "list", "--task", "Other");
  expect(found.map(({ name }) => name)).toEqual(["Inbox"]);
  expect(await belfry.text("watcher", "remove", "Inbox")).toBe('Deleted watcher "Inbox"\n');
  expect(await belfry.json("watcher", "list")).toEqual({ filesystem_watchers: [], next_cursor: null });
});

test("a relative path starts at the current directory", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Load", "--", "true");
  const add = ["watcher", "add", "Docs", "--task", "Load", "--directory", "docs/../docs/", "--disabled"];
  expect(await belfry.json(...add)).toMatchObject({ path: join(process.cwd(), "docs"), enabled: false });
});

test("an error names the option, what is wrong and what is allowed", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Load", "--", "true");
  const cases: readonly (readonly [words: readonly string[], output: RegExp])[] = [
    [["--directory", belfry.daemon.dataDir], /--directory is inside the daemon's data directory/],
    [["--file", join(belfry.daemon.dataDir, "belfry.db")], /--file is inside the daemon's data directory/],
    [["--directory", "/srv", "--pattern", "a/*"], /--pattern must be a glob for file names, such as \*\.csv/],
    [["--directory", "/srv", "--pattern", "{a"], /--pattern "\{a" is not a valid glob: close its brackets/],
    [["--directory", "/srv", "--debounce", "1ms"], /--debounce must be between 25ms and 1h/],
    [
      ["--directory", "/srv", "--max-wait", "1s"],
      /--max-wait is 1s, which is less than --debounce and --stability together \(1500ms\)/,
    ],
  ];
  for (const [words, output] of cases) {
    const { code, stderr } = await belfry.call(["watcher", "add", "x", "--task", "Load", ...words]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(output)]);
  }
});

test("--watch prints the health now and after each change, and ends with the watcher", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Load", "--", "true");
  await belfry.text("watcher", "add", "Inbox", "--task", "Load", "--directory", "/missing/inbox", "--disabled");
  let printed = "";
  const following = belfry.call(["watcher", "show", "Inbox", "--watch", "--json"], {
    onStdout: (text) => void (printed += text),
  });
  const states = () =>
    printed
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as WatcherHealth).state);
  await until("the first state", () => (states().length > 0 ? true : null));
  await belfry.text("watcher", "enable", "Inbox");
  await until("the next state", () => (states().length > 1 ? true : null));
  await belfry.text("watcher", "delete", "Inbox");
  expect((await following).code).toBe(0);
  expect(states()[0]).toBe("stopped");
  expect(states()[1]).not.toBe("stopped");
});

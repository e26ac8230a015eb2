import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { asWritten, hintRewriter, plainText, quoteName } from "./hints.ts";

const nowhere = { socket: null, dataDir: null, profile: null };

test("a hint repeats the name of the command and the options that chose the daemon", () => {
  const rewrite = hintRewriter({ calledAs: "./belfry" }, { ...nowhere, dataDir: "/srv/my data" });
  expect(rewrite("List all tasks with: belfry task list")).toBe(
    "List all tasks with: ./belfry --data-dir '/srv/my data' task list",
  );
  expect(rewrite("Run it with `belfry task run`, or use belfry schedule add")).toBe(
    "Run it with `./belfry --data-dir '/srv/my data' task run`, or use ./belfry --data-dir '/srv/my data' schedule add",
  );
  expect(hintRewriter({}, { ...nowhere, socket: "/run/b.sock" })("See: belfry task --help")).toBe(
    "See: belfry --socket /run/b.sock task --help",
  );
  expect(hintRewriter({ calledAs: "./belfry" }, { ...nowhere, dataDir: "/srv" })("See: belfry --help")).toBe(
    "See: ./belfry --help",
  );
});

test("every command of a line is rewritten, whatever else the line says", () => {
  const rewrite = hintRewriter({}, { ...nowhere, dataDir: "/srv" });
  expect(rewrite('Run it with `belfry task run "Reboot machine"`')).toBe(
    'Run it with `belfry --data-dir /srv task run "Reboot machine"`',
  );
  expect(rewrite("Edit it with: belfry trigger edit, or: belfry watcher edit")).toBe(
    "Edit it with: belfry --data-dir /srv trigger edit, or: belfry --data-dir /srv watcher edit",
  );
  expect(rewrite("Look with: belfry run list, or belfry audit list. The runner hangs: see belfry doctor")).toBe(
    "Look with: belfry --data-dir /srv run list, or belfry --data-dir /srv audit list. The runner hangs: see belfry --data-dir /srv doctor",
  );
});

test("a hint for another machine, and the words of a user, stay as they are", () => {
  const rewrite = hintRewriter({ calledAs: "b" }, { ...nowhere, dataDir: "/srv" });
  for (const text of [
    'Changed task "run belfry backup"',
    String.raw`Changed task "with \"quotes\", run belfry backup"`,
    "on group 'run belfry backup'",
    String.raw`on group 'Ada'\''s: belfry backup'`,
  ])
    expect(rewrite(text)).toBe(text);
  expect(rewrite("belfry group delete 'run belfry backup'")).toBe("b --data-dir /srv group delete 'run belfry backup'");
  const elsewhere = "On the other machine, run: belfry enroll <invitation>";
  expect(rewrite(asWritten(elsewhere))).toBe(elsewhere);
  expect(rewrite(`${asWritten("Held, to run belfry backup")}. Release with: belfry release`)).toBe(
    "Held, to run belfry backup. Release with: b --data-dir /srv release",
  );
  // a mark in the words of a user ends nothing
  expect(rewrite(asWritten(`a ${asWritten("b")} run: belfry x`))).toBe("a b run: belfry x");
  expect(hintRewriter({}, nowhere)(asWritten(elsewhere))).toBe(elsewhere);
  expect(plainText(`${asWritten("x")}: belfry release`)).toBe("x: belfry release");
});

test("a command that names its own daemon, or that takes none, gets no other", () => {
  const rewrite = hintRewriter({ calledAs: "b" }, { ...nowhere, dataDir: "/srv" });
  expect(rewrite("Use it with: belfry --profile build run list")).toBe("Use it with: b --profile build run list");
  // `profile` takes no option that chooses a daemon
  expect(rewrite("List the profiles with: belfry profile list")).toBe("List the profiles with: b profile list");
  expect(hintRewriter({}, nowhere)("belfry task list")).toBe("belfry task list");
});

test("the shell reads nothing in the name of a command that is copied", () => {
  const names = [
    "Nightly backup",
    "a $HOME",
    "a `id` $(id)",
    "Ada's",
    'a "b"',
    String.raw`a\b`,
    "go!",
    "a; b",
    "ä 日本",
  ];
  const line = `printf '%s\\n' ${names.map(quoteName).join(" ")}`;
  expect(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" })).toBe(`${names.join("\n")}\n`);
  expect(quoteName("Nightly backup")).toBe('"Nightly backup"');
  const rewrite = hintRewriter({ calledAs: "b" }, nowhere);
  expect(rewrite(`Release with: belfry release --group ${quoteName("$A, run belfry x")}`)).toBe(
    "Release with: b release --group '$A, run belfry x'",
  );
});

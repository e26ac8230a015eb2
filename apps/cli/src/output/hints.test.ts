import { expect, test } from "vitest";
import { hintRewriter } from "./hints.ts";

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

test("a hint for another machine, and the name of a task, stay as they are", () => {
  const rewrite = hintRewriter({ calledAs: "b" }, { ...nowhere, dataDir: "/srv" });
  for (const text of ["On the other machine, run: belfry enroll <invitation>", 'Changed task "belfry backup"'])
    expect(rewrite(text)).toBe(text);
  expect(rewrite("Use it with: belfry --profile build run list")).toBe("Use it with: b --profile build run list");
  // `profile` takes no option that chooses a daemon
  expect(rewrite("List the profiles with: belfry profile list")).toBe("List the profiles with: b profile list");
  expect(hintRewriter({}, nowhere)("belfry task list")).toBe("belfry task list");
});

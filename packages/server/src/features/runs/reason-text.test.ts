import { runReasons } from "@belfry/contract";
import { describe, expect, test } from "vitest";
import { reasonText } from "./reason-text.ts";

describe("the reason of a run, as a predicate of the run", () => {
  test("exists for every reason without details", () => {
    const sentences = runReasons.map((reason) => `${reason}: The run ${reasonText(reason)}.`);
    expect(sentences).toEqual([
      "exit_code: The run exited with code unknown.",
      "signal: The run was killed by a signal.",
      "timeout: The run ran longer than its timeout and was stopped.",
      "spawn_error: The run could not be started: the system gave no reason.",
      "lost: The run was lost because its runner process died.",
      "cancelled: The run was cancelled.",
      "replaced: The run was replaced by a newer run.",
      "overlap: The run was skipped: the limit of concurrent runs was reached.",
      "misfire: The run was missed: the daemon was stopped or the machine was asleep.",
      "queue_full: The run was skipped: the task's queue was full.",
      "target_missing: The run was skipped: the task no longer exists.",
      "command_incomplete: The run was skipped: the task has no command yet.",
      "task_inactive: The run was skipped: the task is a draft or archived.",
      "task_disabled: The run was skipped: the task is disabled.",
      "group_blocked: The run was skipped: a group that contains the task is disabled.",
      "held: The run was skipped: the task is held.",
      "dispatch_unavailable: The run was skipped: either the daemon is stopping, its runner does not respond, or the task's queue is full.",
    ]);
  });

  test.each([
    ["exit_code", { exitCode: 3 }, "exited with code 3"],
    ["signal", { signal: "SIGSEGV" }, "was killed by SIGSEGV"],
    ["timeout", { timeoutMs: 90_000 }, "ran longer than its timeout of 90s and was stopped"],
    ["spawn_error", { detail: "ENOENT: /bin/no" }, "could not be started: /bin/no was not found (ENOENT)"],
    [
      "spawn_error",
      { detail: "ENOENT: working directory /a b" },
      "could not be started: working directory /a b was not found (ENOENT)",
    ],
    [
      "spawn_error",
      { detail: "EACCES: /bin/no" },
      "could not be started: /bin/no cannot be executed or entered: permission denied (EACCES)",
    ],
    [
      "spawn_error",
      { detail: "ENOTDIR: /bin/no" },
      "could not be started: /bin/no is not a directory, or a part of its path is a file (ENOTDIR)",
    ],
    [
      "spawn_error",
      { detail: "E2BIG: /bin/no" },
      "could not be started: /bin/no was given more arguments and environment than the system allows (E2BIG)",
    ],
    [
      "spawn_error",
      { detail: "ENOEXEC: /bin/no" },
      "could not be started: /bin/no is not in a format that the system can execute (ENOEXEC)",
    ],
    [
      "spawn_error",
      { detail: "ENAMETOOLONG: /bin/no" },
      "could not be started: /bin/no has a name that is longer than the system allows (ENAMETOOLONG)",
    ],
    [
      "spawn_error",
      { detail: "ELOOP: /bin/no" },
      "could not be started: /bin/no has too many symbolic links in its path (ELOOP)",
    ],
    ["spawn_error", { detail: "EIO: /bin/odd" }, "could not be started: EIO: /bin/odd"],
    ["spawn_error", { detail: "setpriv is missing" }, "could not be started: setpriv is missing"],
    ["cancelled", { detail: "these processes did not end: 12" }, "was cancelled; these processes did not end: 12"],
    [
      "exit_code",
      { exitCode: 0, detail: "these processes did not end: 7, 8" },
      "exited with code 0; these processes did not end: 7, 8",
    ],
  ] as const)("of %s with %o contains the details", (reason, facts, sentence) => {
    expect(reasonText(reason, facts)).toBe(sentence);
  });
});

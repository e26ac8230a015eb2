import { runReasons } from "@belfry/contract";
import { describe, expect, test } from "vitest";
import { reasonText } from "./reason-text.ts";

describe("the reason of a run, in words", () => {
  test("every reason has a sentence that goes on from `the run`, and tells of nothing undefined", () => {
    for (const reason of runReasons) {
      expect(reasonText(reason), reason).toMatch(/^[a-z]/);
      expect(reasonText(reason), reason).not.toMatch(/undefined|null|NaN/);
    }
  });

  test.each([
    ["exit_code", { exitCode: 3 }, "exited with code 3"],
    ["signal", { signal: "SIGSEGV" }, "was ended by SIGSEGV"],
    ["timeout", { timeoutMs: 90_000 }, "ran longer than its timeout of 90s and was stopped"],
    ["timeout", {}, "ran longer than its timeout and was stopped"],
    ["spawn_error", { detail: "ENOENT: /bin/no" }, "could not be started: /bin/no was not found (ENOENT)"],
    [
      "spawn_error",
      { detail: "ENOENT: working directory /a b" },
      "could not be started: working directory /a b was not found (ENOENT)",
    ],
    ["spawn_error", { detail: "EIO: /bin/odd" }, "could not be started: EIO: /bin/odd"],
    ["spawn_error", { detail: "setpriv is missing" }, "could not be started: setpriv is missing"],
    ["cancelled", { detail: "still running after KILL: 12" }, "was cancelled; still running after KILL: 12"],
    [
      "exit_code",
      { exitCode: 0, detail: "still running after KILL: 7, 8" },
      "exited with code 0; still running after KILL: 7, 8",
    ],
  ] as const)("%s with %o", (reason, facts, sentence) => {
    expect(reasonText(reason, facts)).toBe(sentence);
  });
});

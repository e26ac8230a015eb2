import { runReasons } from "@belfry/contract";
import { seed } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { readinessText } from "../tasks/index.ts";
import { notRetriedBecause, reasonText } from "./reason-text.ts";
import { type ReasonColumns, reasonTextFor } from "./shown-reason.ts";

const observer = { capability: "observe", transport: "local" } as const;

function shownTo(capability: "observe" | "operate" | "manage" | "enroll", row: Partial<ReasonColumns>): string | null {
  return reasonTextFor(
    { ...observer, capability },
    { reason: null, reasonText: null, exitCode: null, signal: null, ...row },
  );
}

const toObserver = (row: Partial<ReasonColumns>): string | null => shownTo("observe", row);

test.each([
  ["exit_code", { exitCode: 3 }],
  ["signal", { signal: "SIGKILL" }],
  ["timeout", { timeoutMs: 90_000 }],
  ["timeout", { timeoutMs: 1_500 }],
  ["lost", {}],
  ["cancelled", {}],
  ["replaced", {}],
  ["overlap", {}],
  ["misfire", {}],
  ["queue_full", {}],
  ["task_disabled", {}],
] as const)("a reason that names nothing is the same for everyone: %s %o", (reason, facts) => {
  const row = { reason, reasonText: reasonText(reason, facts), exitCode: null, signal: null, ...facts };
  expect(toObserver(row)).toBe(row.reasonText);
  const detailed = reasonText(reason, { ...facts, detail: "these processes did not end: 4711" });
  expect(toObserver({ ...row, reasonText: detailed })).toBe(row.reasonText);
});

test("why a run was not retried is shown", () => {
  for (const clause of Object.values(readinessText).map(notRetriedBecause)) {
    const stored = `${reasonText("exit_code", { exitCode: 1, detail: "these processes did not end: 4711" })}${clause}`;
    expect(toObserver({ reason: "exit_code", exitCode: 1, reasonText: stored })).toBe(`exited with code 1${clause}`);
  }
});

test.each([
  ["ENOENT: /opt/planted", "was not found (ENOENT)"],
  ["ENOENT: working directory /opt/planted", "was not found (ENOENT)"],
  ["EACCES: /opt/planted", "cannot be executed or entered: permission denied (EACCES)"],
  ["ENOTDIR: /opt/planted", "is not a directory, or a part of its path is a file (ENOTDIR)"],
])("a failed start names its cause, but no program and no path: %s", (detail, predicate) => {
  expect(toObserver({ reason: "spawn_error", reasonText: reasonText("spawn_error", { detail }) })).toBe(
    `could not be started: the program, its interpreter or its working directory ${predicate}`,
  );
});

test.each(["EIO: /opt/planted", "setpriv /opt/planted is missing", "ENOENT: /opt/planted (EPLANTED)", null])(
  "a failed start with another cause names none: %s",
  (detail) => {
    const stored = reasonText("spawn_error", { detail });
    expect(toObserver({ reason: "spawn_error", reasonText: stored })).toMatch(
      /^could not be started(: the program, its interpreter or its working directory was not found \(ENOENT\))?$/,
    );
  },
);

test("below Manage, no text that the daemon was given is repeated; above, every text is", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom("(ENOENT)", "ENOENT: x (EACCES)", "; it was not retried because x"),
  );
  fc.assert(
    fc.property(fc.constantFrom(...runReasons), texts, texts, (reason, before, after) => {
      const row = { reason, reasonText: `${before}planted${after}` };
      expect(toObserver(row)).not.toContain("planted");
      expect(shownTo("operate", row)).toBe(toObserver(row));
      expect(shownTo("manage", row)).toBe(row.reasonText);
      expect(shownTo("enroll", row)).toBe(row.reasonText);
    }),
    { seed },
  );
});

test("a run without a reason has no text", () => {
  expect(toObserver({ reasonText: "planted" })).toBeNull();
  expect(toObserver({ reason: "exit_code" })).toBeNull();
});

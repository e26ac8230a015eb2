import { expect, test } from "vitest";
import { createRunAsRules } from "./run-as.ts";

const root = { name: "root", isRoot: true, findMissingTool: () => null };

test("a daemon of root accepts every user, and stores its own as null", () => {
  const rules = createRunAsRules(root);
  expect([rules.check("www-data"), rules.check("root"), rules.check(null)]).toEqual(["www-data", null, null]);
});

test("a daemon of another user accepts only that user", () => {
  const rules = createRunAsRules({ ...root, name: "ada", isRoot: false });
  expect([rules.check("ada"), rules.check(null)]).toEqual([null, null]);
  for (const user of ["root", "www-data"])
    expect(() => rules.check(user)).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        field: "run_as",
        message: `run_as can only name another user if the daemon runs as root. This daemon runs as ada: leave run_as out, or start a daemon as root to run the task as "${user}"`,
      }),
    );
});

test("a machine without setpriv is told which package has it", () => {
  const rules = createRunAsRules({ ...root, findMissingTool: () => ({ name: "setpriv", providedBy: "util-linux" }) });
  expect(rules.check("root")).toBe(null);
  expect(() => rules.check("www-data")).toThrow(
    expect.objectContaining({
      code: "validation_failed",
      field: "run_as",
      message: 'run_as needs the program setpriv to run a task as "www-data": install the package util-linux',
    }),
  );
});

import { TaskCreate } from "@belfry/contract";
import { expect, test } from "vitest";
import { createBody, emptyForm, environmentProblem, patchBody, taskLabels } from "./task-fields.ts";

const form = { ...emptyForm, name: "Backup", script: "backup --all", labelLines: "team: storage\nold: yes" };

test("a form becomes the body of a task", () => {
  expect(
    createBody({ ...form, environmentLines: "LEVEL=full\nURL=a=b", timeout: "1h", exitCodes: "0, 3" }),
  ).toMatchObject({
    name: "Backup",
    command: { kind: "shell", script: "backup --all" },
    environment: { LEVEL: "full", URL: "a=b" },
    labels: { team: "storage", old: "yes" },
    timeout: "1h",
    success_exit_codes: [0, 3],
    group_id: null,
  });
});

test("a change sends what changed, and nothing else", () => {
  expect(patchBody(form, form)).toEqual({});
  expect(
    patchBody(form, {
      ...form,
      limit: "2",
      labelLines: "team: data",
      removedNames: ["OLD"],
      environmentLines: "NEW=1",
    }),
  ).toEqual({
    concurrency: { limit: 2, key: null, on_conflict: "queue" },
    labels: { team: "data", old: null },
    environment: { OLD: null, NEW: "1" },
  });
});

test("standard input is sent only if it was typed, and an empty one is removed", () => {
  expect(patchBody(form, { ...form, standardInput: "yes\n" })).toEqual({ standard_input: "yes\n" });
  expect(patchBody(form, { ...form, standardInput: "" })).toEqual({ standard_input: null });
});

test("what is no number reaches the daemon as it was typed", () => {
  expect(patchBody(form, { ...form, priority: "high" })).toEqual({ priority: "high" });
});

test("a variable without a value is a problem, and one that is removed and written again stays", () => {
  expect(environmentProblem({ environmentLines: "A=1\n\nB=" })).toBeNull();
  expect(environmentProblem({ environmentLines: "A=1\nB" })).toBe("Line 2 has no name and value: write NAME=value.");
  expect(patchBody(form, { ...form, removedNames: ["A"], environmentLines: "A=2" })).toEqual({
    environment: { A: "2" },
  });
});

test("the form begins with the defaults of the contract", () => {
  expect(TaskCreate.parse(createBody({ ...emptyForm, name: "Backup" }))).toEqual(TaskCreate.parse({ name: "Backup" }));
});

test("the form has a field for every member of the contract", () => {
  const labelled = new Set(Object.keys(taskLabels).map((member) => member.split(".")[0]!));
  // a button of the task's page changes it
  const elsewhere = ["enabled"];
  expect([...labelled, ...elsewhere].toSorted()).toEqual(Object.keys(TaskCreate.shape).toSorted());
});

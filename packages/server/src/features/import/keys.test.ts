import { expect, test } from "vitest";
import { AppError, invalid } from "../../kernel/errors/errors.ts";
import { createKeys, within } from "./keys.ts";

test("a key identifies one item of its kind, and an unknown key is refused", () => {
  const keys = createKeys("task");
  keys.set("a", "tsk_1", "key");
  expect(keys.get("a", "task_key")).toBe("tsk_1");
  expect(() => keys.set("a", "tsk_2", "key")).toThrow(
    expect.objectContaining({
      field: "key",
      message: 'the key "a" is used by two tasks of this file: give each its own key',
    }),
  );
  expect(() => keys.get("b", "task_key")).toThrow(
    expect.objectContaining({
      field: "task_key",
      message: 'this file has no task with the key "b": add the task, or correct the key',
    }),
  );
});

test("an error within an item names its place in the file, and keeps its code", () => {
  const fail = (error: unknown) => () =>
    within("tasks.3", () => {
      throw error;
    });
  expect(fail(invalid("name", "is taken"))).toThrow(
    expect.objectContaining({ code: "validation_failed", field: "tasks.3.name", message: "is taken" }),
  );
  expect(fail(new AppError("not_found", "gone"))).toThrow(
    expect.objectContaining({ code: "not_found", field: "tasks.3" }),
  );
  expect(fail(invalid("tasks.3.name", "is taken"))).toThrow(expect.objectContaining({ field: "tasks.3.name" }));
  const other = new Error("disk");
  expect(fail(other)).toThrow(other);
  expect(within("tasks.3", () => 7)).toBe(7);
});

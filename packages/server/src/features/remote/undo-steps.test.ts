import { expect, test } from "vitest";
import { undoSteps } from "./undo-steps.ts";

test("every step of a change is undone, the last one first, although some fail", async () => {
  const undone: string[] = [];
  const fail = (name: string) => (): never => {
    undone.push(name);
    throw new Error(`${name} failed`);
  };
  const steps = [
    () => void undone.push("files"),
    () => Promise.resolve().then(fail("port")),
    fail("configuration"),
    () => void undone.push("settings"),
  ];
  await expect(undoSteps(steps)).rejects.toThrow("configuration failed");
  expect(undone).toEqual(["settings", "configuration", "port", "files"]);
});

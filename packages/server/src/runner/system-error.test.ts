import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { describeCrash } from "./system-error.ts";

test("a crash is described by its code and stack, without the program or argument that its message quotes", () => {
  const { error: missing } = spawnSync("/nowhere/planted");
  expect(describeCrash(missing!)).toMatch(/^ENOENT\n {4}at /);
  expect(describeCrash(missing!)).not.toContain("planted");
  expect(() => spawnSync("true", ["planted\0"])).toThrow(
    expect.objectContaining({ message: expect.stringContaining("planted") }),
  );
  try {
    spawnSync("true", ["planted\0"]);
  } catch (error) {
    expect(describeCrash(error as Error)).toMatch(/^ERR_INVALID_ARG_VALUE\n {4}at /);
    expect(describeCrash(error as Error)).not.toContain("planted");
  }
});

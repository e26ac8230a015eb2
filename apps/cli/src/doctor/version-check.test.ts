import { expect, test } from "vitest";
import { checkVersion } from "./version-check.ts";

test("a daemon that runs on after its program was replaced is to be restarted", () => {
  expect(checkVersion("1.4.0", "1.4.1")).toEqual([
    {
      subject: "version",
      level: "warn",
      text: "version 1.4.0 runs, but version 1.4.1 is installed: restart the daemon to use 1.4.1",
    },
  ]);
});

test("the installed daemon, and one beside which none is installed, need no restart", () => {
  expect(checkVersion("1.4.0", "1.4.0")).toEqual([]);
  expect(checkVersion("1.4.0", null)).toEqual([]);
});

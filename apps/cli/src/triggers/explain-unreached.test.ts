import { ConnectionError } from "@belfry/client";
import { expect, test } from "vitest";
import { explainForbidden } from "./explain-unreached.ts";

test("only a user without access to the daemon's socket hears of the fire socket", () => {
  const forbidden = new ConnectionError("no permission", { code: "EACCES" });
  expect(explainForbidden(forbidden)).toMatchObject({
    exitCode: 5,
    message: "no permission",
    hint: "Other users fire on the fire socket. Ask for its path, and add: --socket <path>",
  });
  const missing = new ConnectionError("no socket", { code: "ENOENT" });
  expect(explainForbidden(missing)).toBe(missing);
});

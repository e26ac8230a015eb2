import { expect, test } from "vitest";
import { knownUntil } from "./connection.ts";

const offline = { is: "offline", problem: "the daemon does not answer", cause: "silent" } as const;

test("what is shown ends with the last answer, and goes on when the daemon answers again", () => {
  expect(knownUntil({ ...offline, since: 1_000 }, 5_000)).toBe(1_000);
  expect(knownUntil({ is: "live" }, 5_000)).toBe(5_000);
  expect(knownUntil({ is: "connecting" }, 5_000)).toBe(5_000);
  expect(knownUntil({ ...offline, since: null }, 5_000)).toBe(5_000);
});

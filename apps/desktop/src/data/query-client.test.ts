import { ConnectionError } from "@belfry/client";
import { expect, test } from "vitest";
import { readAfter } from "./query-client.ts";

const lost = { state: { error: new ConnectionError("The connection broke.") } };
const refused = { state: { error: new Error("refused") } };
const answered = { state: { error: null } };

test("a read whose answer was lost is tried again soon, also where it is otherwise repeated rarely", () => {
  expect(readAfter(false)(lost)).toBe(3_000);
  expect(readAfter(60_000)(lost)).toBe(3_000);
});

test("any other read is repeated as its page wants", () => {
  for (const query of [answered, refused]) {
    expect(readAfter(false)(query)).toBe(false);
    expect(readAfter(60_000)(query)).toBe(60_000);
  }
});

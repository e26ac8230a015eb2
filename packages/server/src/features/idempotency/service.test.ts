import { expect, test } from "vitest";
import { createIdempotency } from "./service.ts";
import type { IdempotencyStore } from "./store.ts";

const use = { actorId: "act_1", operation: "tasks.create", key: "k" };
const input = [null, "hash of a body"];

/** Hashes need no rows. */
function hasherOf(keyByte: number) {
  return createIdempotency({} as IdempotencyStore, Buffer.alloc(32, keyByte)).hashInput;
}

test("the same input has the same hash only under the same key and for the same use", () => {
  const hash = hasherOf(1);
  const hashes = [
    hash(use, input),
    hasherOf(2)(use, input),
    hash({ ...use, actorId: "act_2" }, input),
    hash({ ...use, operation: "groups.create" }, input),
    hash({ ...use, key: "l" }, input),
    hash(use, [{ id: "tsk_1" }, "hash of a body"]),
    hash(use, [null, "hash of another body"]),
  ];
  expect(hash(use, input)).toBe(hashes[0]);
  expect(new Set(hashes).size).toBe(hashes.length);
  for (const each of hashes) expect(each).toMatch(/^[0-9a-f]{64}$/);
});

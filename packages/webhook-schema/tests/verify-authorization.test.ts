import { fc } from "@belfry/test-kit/properties";
import { verifyAuthorization } from "@belfry/webhook-schema";
import { expect, test } from "vitest";
import { isSameBytes } from "../src/constant-time.ts";

test("only the exact value passes", async () => {
  expect(await verifyAuthorization("Bearer abc", "Bearer abc")).toBe(true);
  for (const other of ["Bearer abd", "bearer abc", "Bearer abc ", "Bearer ab", "Bearer abcd", "", null, undefined]) {
    expect(await verifyAuthorization("Bearer abc", other)).toBe(false);
  }
});

test("either of two values passes during a rotation", async () => {
  expect(await verifyAuthorization(["old", "new"], "old")).toBe(true);
  expect(await verifyAuthorization(["old", "new"], "new")).toBe(true);
  expect(await verifyAuthorization(["old", "new"], "oldnew")).toBe(false);
});

test.each([[undefined], [""], [[]], [["a", ""]], [[undefined]], [null]])(
  "with %j as the expected value nothing passes, not even a missing header",
  async (expected) => {
    await expect(verifyAuthorization(expected as string, "")).rejects.toThrow(TypeError);
    await expect(verifyAuthorization(expected as string, undefined)).rejects.toThrow(TypeError);
    await expect(verifyAuthorization(expected as string, "undefined")).rejects.toThrow(TypeError);
  },
);

test("isSameBytes is true only for equal bytes", () => {
  const bytes = fc.uint8Array({ maxLength: 4, max: 3 });
  fc.assert(
    fc.property(bytes, bytes, (a, b) => isSameBytes(a, b) === (a.join() === b.join())),
    { numRuns: 5_000 },
  );
});

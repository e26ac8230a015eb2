import { enrollmentOperations, limits, type Operation, pairingOperations } from "@belfry/contract";
import { expect, test } from "vitest";
import { readCallHeaders } from "./call-headers.ts";

const read = (operation: Operation, key: string) =>
  readCallHeaders({ headers: { "idempotency-key": key }, rawHeaders: ["Idempotency-Key", key] }, operation);
const all: readonly Operation[] = [...pairingOperations, ...enrollmentOperations];
const operationOf = (id: string): Operation => all.find((operation) => operation.id === id)!;

test.each(["pairings.create", "access.enroll"])("%s refuses every Idempotency-Key", (id) => {
  for (const key of ["once", "", "k".repeat(limits.idempotencyKeyCharactersMax + 1)])
    expect(() => read(operationOf(id), key)).toThrow(
      expect.objectContaining({ code: "validation_failed", field: "Idempotency-Key" }),
    );
});

test.each(["pairings.delete", "pairings.list", "access.current"])(
  "%s creates nothing, so it ignores the header",
  (id) => {
    expect(read(operationOf(id), "once").idempotencyKey).toBeNull();
  },
);

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineOperation, errorsOf, everywhere, type Operation } from "./operation.ts";

const read: Operation = {
  id: "notes.get",
  method: "get",
  path: "/notes/{id}",
  summary: "One note",
  kind: "read",
  capability: "observe",
  transports: everywhere,
  audited: false,
  resource: "note",
  response: { kind: "json", status: 200, schema: z.object({}) },
  errors: ["not_found"],
};

describe("the error codes of an operation", () => {
  test("include its own codes and those of every operation", () => {
    expect(errorsOf(read)).toEqual([
      "validation_failed",
      "forbidden",
      "origin_rejected",
      "request_timeout",
      "headers_too_large",
      "internal",
      "not_found",
    ]);
  });

  test.each<[string, Partial<Operation>, readonly string[]]>([
    ["has a body", { body: z.object({}) }, ["payload_too_large", "unsupported_media_type"]],
    ["takes If-Match", { conditional: true }, ["precondition_failed"]],
    ["takes an Idempotency-Key", { replayedBy: "notes.get" }, ["conflict"]],
    ["is audited", { audited: true }, ["audit_unavailable"]],
  ])("if it %s, include the codes that this can cause", (_, change, codes) => {
    expect(errorsOf({ ...read, ...change }).filter((code) => !errorsOf(read).includes(code))).toEqual(codes);
  });

  test("contain each code once, however often it is declared", () => {
    const codes = errorsOf({ ...read, replayedBy: "notes.get", errors: ["conflict", "not_found", "internal"] });
    expect(codes).toHaveLength(new Set(codes).size);
  });
});

test("a descriptor keeps its literal types", () => {
  const operation = defineOperation({ ...read, id: "notes.peek" });
  const id: "notes.peek" = operation.id;
  expect(id).toBe("notes.peek");
});

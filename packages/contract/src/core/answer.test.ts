import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answerOf } from "./answer.ts";

const Sent = z.strictObject({
  size: z.int().min(1).default(10).meta({ description: "How many" }),
  color: z.enum(["red", "blue"]),
  note: z.string().optional(),
});
const Answered = answerOf(Sent);

describe("the response schema of an object that clients also send", () => {
  test("requires every member that has a default in requests", () => {
    expect(Sent.parse({ color: "red" })).toEqual({ size: 10, color: "red" });
    expect(Answered.safeParse({ color: "red" }).success).toBe(false);
    expect(Answered.parse(Sent.parse({ color: "red" }))).toEqual({ size: 10, color: "red" });
  });

  test("may have members of a later daemon, and optional members may be absent", () => {
    expect(Sent.safeParse({ color: "red", shape: "round" }).success).toBe(false);
    expect(Answered.parse({ size: 1, color: "red", shape: "round" })).toEqual({ size: 1, color: "red" });
  });

  test("keeps the checks and the description of each member", () => {
    expect(Answered.safeParse({ size: 0, color: "red" }).success).toBe(false);
    expect(z.toJSONSchema(Answered, { io: "input" }).properties?.["size"]).toMatchObject({
      type: "integer",
      minimum: 1,
      description: "How many",
    });
  });
});

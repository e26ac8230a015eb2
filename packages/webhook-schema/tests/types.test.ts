import type { RunCompletedPayload, TestPayload, WebhookPayload } from "@belfry/webhook-schema";
import type { StrictWebhookPayload, WebhookPayload as OpenSchema } from "@belfry/webhook-schema/schema";
import { expect, test } from "vitest";
import type { z } from "zod";
import * as root from "../src/index.ts";
import * as schema from "../src/schema/index.ts";
import * as testing from "../src/testing/index.ts";

// Everything here but the last test is for the compiler: a wrong type is an error of this file.

type IsAssignable<A, B> = [A] extends [B] ? true : false;
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Strict<E> = Extract<z.output<typeof StrictWebhookPayload>, { event: E }>;
/** The members that must be there, and those that may be absent. */
type Required<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
type Members<T> = [keyof T, Required<T>];

const holds: true[] = [
  true satisfies IsAssignable<z.output<typeof StrictWebhookPayload>, WebhookPayload>,
  true satisfies IsAssignable<z.output<typeof OpenSchema>, WebhookPayload>,
  true satisfies IsSame<Members<Strict<"run.completed">>, Members<RunCompletedPayload>>,
  true satisfies IsSame<Members<Strict<"run.completed">["run"]>, Members<RunCompletedPayload["run"]>>,
  true satisfies IsSame<Members<Strict<"run.completed">["task"]>, Members<RunCompletedPayload["task"]>>,
  true satisfies IsSame<Members<Strict<"run.completed">["delivery"]>, Members<RunCompletedPayload["delivery"]>>,
  true satisfies IsSame<Members<Strict<"run.completed">["daemon"]>, Members<RunCompletedPayload["daemon"]>>,
  true satisfies IsSame<Members<Strict<"test">>, Members<TestPayload>>,
];

/** `event` tells the two apart, and nothing is left over. */
export function describePayload(payload: WebhookPayload): string {
  switch (payload.event) {
    case "run.completed":
      return payload.run.outcome === "failure" ? `exit code ${payload.run.exit_code ?? "none"}` : payload.task.name;
    case "test":
      // @ts-expect-error: a test tells of no run
      return `${payload.delivery.id}${payload.run}`;
    default:
      return payload satisfies never;
  }
}

test("the types are those of the schema", () => {
  expect(holds).not.toContain(false);
});

test("the package exports these values and no others", () => {
  expect([root, schema, testing].map((entry) => Object.keys(entry).toSorted())).toEqual([
    [
      "WebhookParseError",
      "isWebhookParseError",
      "parseWebhook",
      "verifyAuthorization",
      "webhookBodyBytesMax",
      "webhookHeaders",
      "webhookSchemaId",
    ],
    [
      "RunCompletedPayload",
      "StrictWebhookPayload",
      "TestPayload",
      "WebhookPayload",
      "buildJsonSchema",
      "webhookEvents",
    ],
    ["createTestDelivery", "fixtures"],
  ]);
});

import type { RunCompletedPayload, TestPayload, WebhookPayload } from "@belfry/webhook-schema";
import { expect, test } from "vitest";
import type { z } from "zod";
import type { WebhookPayload as OpenSchema } from "../src/webhook/payload.ts";
import type { StrictWebhookPayload } from "./strict-payload.ts";

// The compiler checks this file: a type that differs from its schema is an error here.

type IsAssignable<A, B> = [A] extends [B] ? true : false;
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Strict<E> = Extract<z.output<typeof StrictWebhookPayload>, { event: E }>;
/** The names of the required members of a type, and of the optional ones. */
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

test("the types of webhook-schema are those of the zod schemas", () => {
  expect(holds).not.toContain(false);
});

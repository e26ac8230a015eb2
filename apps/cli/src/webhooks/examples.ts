import type { WebhookPayload } from "@belfry/webhook-schema";
import {
  createTestDelivery,
  fixtures,
  type TestDelivery,
  type TestDeliveryOptions,
} from "@belfry/webhook-schema/testing";
import { rewordSecretError } from "./check.ts";

export interface Example {
  readonly payload: WebhookPayload;
  readonly request: TestDelivery;
}

/** Samples by file name: `no-group`. */
const payloads = new Map<string, WebhookPayload>(
  Object.entries(fixtures).map(([name, payload]) => [name.replaceAll(/[A-Z]/g, "-$&").toLowerCase(), payload]),
);

export const exampleNames = [...payloads.keys()];

/** Builds a sample as the daemon would send it. Its id never changes, so a receiver's handling of duplicates can be tested. */
export async function exampleDelivery(name: string, options: Omit<TestDeliveryOptions, "payload">): Promise<Example> {
  const payload = payloads.get(name) ?? fixtures.failure;
  try {
    return { payload, request: await createTestDelivery({ ...options, payload }) };
  } catch (error) {
    throw rewordSecretError(error);
  }
}

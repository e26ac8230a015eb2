import type { WebhookPayload } from "@belfry/webhook-schema";
import {
  createTestDelivery,
  fixtures,
  type TestDelivery,
  type TestDeliveryOptions,
} from "@belfry/webhook-schema/testing";
import { secretRefused } from "./check.ts";

export interface Example {
  readonly payload: WebhookPayload;
  readonly request: TestDelivery;
}

/** By the names of their files: `no-group`. */
const payloads = new Map<string, WebhookPayload>(
  Object.entries(fixtures).map(([name, payload]) => [name.replaceAll(/[A-Z]/g, "-$&").toLowerCase(), payload]),
);

export const exampleNames = [...payloads.keys()];

/** As the daemon would send it. An example's id is always the same: a receiver that drops what comes twice can be tried. */
export async function exampleDelivery(name: string, options: Omit<TestDeliveryOptions, "payload">): Promise<Example> {
  const payload = payloads.get(name) ?? fixtures.failure;
  try {
    return { payload, request: await createTestDelivery({ ...options, payload }) };
  } catch (error) {
    throw secretRefused(error);
  }
}

import type { WebhookPayload } from "@belfry/webhook-schema";
import { expect, test } from "vitest";
import * as root from "../src/index.ts";
import * as testing from "../src/testing/index.ts";

/** `event` tells the two payloads apart, and the switch is complete. */
export function describePayload(payload: WebhookPayload): string {
  switch (payload.event) {
    case "run.completed":
      return payload.run.outcome === "failure" ? `exit code ${payload.run.exit_code ?? "none"}` : payload.task.name;
    case "test":
      // @ts-expect-error: a test has no run
      return `${payload.delivery.id}${payload.run}`;
    default:
      return payload satisfies never;
  }
}

test("the package exports these values and no others", () => {
  expect([root, testing].map((entry) => Object.keys(entry).toSorted())).toEqual([
    [
      "WebhookParseError",
      "instantPattern",
      "isWebhookParseError",
      "parseWebhook",
      "verifyAuthorization",
      "webhookBodyBytesMax",
      "webhookEvents",
      "webhookHeaders",
      "webhookOutcomes",
      "webhookSchemaId",
      "webhookTriggers",
    ],
    ["createTestDelivery", "fixtures"],
  ]);
});

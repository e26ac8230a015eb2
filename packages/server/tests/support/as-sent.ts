import { parseWebhook } from "@belfry/webhook-schema";
import { expect } from "vitest";
import { StrictWebhookPayload } from "../../../contract/tests/strict-payload.ts";
import { validatorOf } from "../../../contract/tests/webhook-validator.ts";
import type { Received } from "./receiver.ts";

const isInDocument = validatorOf();

/** Expects requests that fit the published schema and every receiver, without unexpected members. */
export async function expectAsSent(requests: readonly Received[]): Promise<void> {
  for (const { method, headers, body } of requests) {
    const sent = JSON.parse(body) as object;
    expect(isInDocument(sent), `${JSON.stringify(isInDocument.errors)} in ${body}`).toBe(true);
    expect(StrictWebhookPayload.parse(sent)).toEqual(sent);
    expect(await parseWebhook(headers, body)).toEqual(sent);
    expect([method, headers["user-agent"]]).toEqual(["POST", expect.stringMatching(/^service\/\d+\.\d+\.\d+/)]);
  }
}

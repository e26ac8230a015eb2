import { webhookSchemaId } from "@belfry/webhook-schema";
import { z } from "zod";
import { WebhookPayload } from "./payload.ts";

/** Builds the published document: JSON Schema 2020-12, open to members that it does not know. */
export function buildJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(WebhookPayload, { target: "draft-2020-12" });
  // a URN, because no host serves the document
  return { $schema, $id: `urn:belfry:${webhookSchemaId}`, ...schema };
}

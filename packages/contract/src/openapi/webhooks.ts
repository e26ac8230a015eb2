import type { RouteConfig } from "@hono/zod-openapi";
import { RunCompletedPayload, TestPayload, webhookSchemaId } from "../modules/deliveries/payload.ts";
import { runCompletedPayload, testPayload } from "./notification-examples.ts";
import { asSchemaObject, type SchemaWriter } from "./schema-writer.ts";

const events = [
  {
    event: "run.completed",
    summary: "A run ended",
    description:
      "Sent to every enabled channel that is assigned to this outcome of the task. A receiver may get the same delivery more than once: `delivery.id` is the same in each attempt.",
    schema: RunCompletedPayload,
    example: runCompletedPayload,
  },
  {
    event: "test",
    summary: "A test of a channel",
    description: "Sent by the channel's `test` operation, with the usual retries.",
    schema: TestPayload,
    example: testPayload,
  },
] as const;

const schemaNote = `The body conforms to the JSON Schema \`${webhookSchemaId}\`, which \`@belfry/webhook-schema\` publishes as \`urn:belfry:${webhookSchemaId}\`.`;

/** Describes the requests that a receiver gets (contract: Receiver contract). */
export function webhooksOf(schemas: SchemaWriter): readonly RouteConfig[] {
  return events.map(({ event, summary, description, schema, example }) => ({
    method: "post",
    path: event,
    operationId: `webhook.${event}`,
    summary,
    description: `${description} ${schemaNote}`,
    parameters: [
      header({ name: "User-Agent", description: "`service/` followed by the daemon's version" }),
      header({ name: "X-Service-Delivery", description: "The value of `delivery.id`", example: example.delivery.id }),
      header({ name: "X-Service-Event", description: "The value of `event`", example: event }),
      header({ name: "Authorization", description: "The channel's authorization, if it has one", required: false }),
      ...["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
        header({
          name,
          description: "A Standard Webhooks header, sent only if the channel has a signing secret",
          required: false,
        }),
      ),
    ],
    request: {
      body: {
        required: true,
        content: { "application/json": { schema: asSchemaObject(schemas.write(schema)), example } },
      },
    },
    responses: {
      "2XX": {
        description:
          "Delivered: the headers of the response arrived within five seconds. The daemon ignores the response body",
      },
      default: {
        description:
          "Not delivered. The daemon tries again after one second, and once more two seconds later; then the delivery has failed",
      },
    },
  }));
}

interface Header {
  readonly name: string;
  readonly description: string;
  readonly example?: string;
  readonly required?: boolean;
}

function header({ required = true, ...more }: Header) {
  return { ...more, required, in: "header" as const, schema: { type: "string" as const } };
}

import type { RouteConfig } from "@hono/zod-openapi";
import { RunCompletedPayload, TestPayload, webhookSchemaId } from "../modules/deliveries/payload.ts";
import { runCompletedPayload, testPayload } from "./notification-examples.ts";
import { asSchemaObject, type SchemaWriter } from "./schema-writer.ts";

const events = [
  {
    event: "run.completed",
    summary: "A run has ended",
    description:
      "Sent to every enabled channel that the task's assignments name for this outcome. At least once: `delivery.id` is the same in each attempt.",
    schema: RunCompletedPayload,
    example: runCompletedPayload,
  },
  {
    event: "test",
    summary: "Somebody tests a channel",
    description: "Sent the way any other event is, after the channel's `test`.",
    schema: TestPayload,
    example: testPayload,
  },
] as const;

const schemaNote = `The body is \`${webhookSchemaId}\`, the JSON Schema that \`@belfry/webhook-schema\` publishes as \`urn:belfry:${webhookSchemaId}\`.`;

/** What a receiver is sent (contract: Receiver contract). */
export function webhooksOf(schemas: SchemaWriter): readonly RouteConfig[] {
  return events.map(({ event, summary, description, schema, example }) => ({
    method: "post",
    path: event,
    operationId: `webhook.${event}`,
    summary,
    description: `${description} ${schemaNote}`,
    parameters: [
      header({ name: "User-Agent", description: "`service/` and the daemon's version" }),
      header({ name: "X-Service-Delivery", description: "The same as `delivery.id`", example: example.delivery.id }),
      header({ name: "X-Service-Event", description: "The same as `event`", example: event }),
      header({ name: "Authorization", description: "As the channel has it", required: false }),
      ...["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
        header({
          name,
          description: "Where the channel has a signing secret: as Standard Webhooks describe",
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
      "2XX": { description: "Received: the status came within five seconds. The body is not read to its end" },
      default: { description: "Not received: tried again after one second, then after two, and then no more" },
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

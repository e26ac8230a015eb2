import { webhookOutcomes, webhookSchemaId, webhookTriggers } from "@belfry/webhook-schema";
import { z } from "zod";
import { Instant, Text } from "./scalars.ts";

const envelope = {
  schema: z.literal(webhookSchemaId),
  delivery: z.looseObject({
    id: Text.meta({
      description:
        "Unique for each delivery. All attempts of a delivery have the same id, even after a restart of the daemon. A redelivery has a new id",
    }),
    created_at: Instant,
  }),
  daemon: z.looseObject({ version: Text }),
};

const task = z.looseObject({
  id: Text,
  name: Text,
  group_id: Text.exactOptional().meta({ description: "Absent, like `group_name`, for a task without a group" }),
  group_name: Text.exactOptional(),
});

const run = z.looseObject({
  id: Text,
  outcome: z.enum(webhookOutcomes),
  trigger: Text.meta({
    description: "What started the run; other values may be added",
    examples: [...webhookTriggers],
  }),
  scheduled_for: Instant.meta({
    description:
      "The scheduled time. For a run that no schedule started: the end of the chain's delay, the start time that the request named, or else the time of the request",
  }),
  started_at: Instant.meta({
    description: "When the first attempt started or, if its process could not be started, when it was dispatched",
  }),
  ended_at: Instant,
  duration_ms: z.int().min(0),
  exit_code: z
    .int()
    .exactOptional()
    .meta({ description: "The exit code. Absent if the process did not exit by itself" }),
});

/** Open: receivers must accept unknown members, ids and triggers (contract: Webhook request payload). */
export const RunCompletedPayload = z
  .looseObject({ ...envelope, event: z.literal("run.completed"), task, run })
  .meta({ id: "RunCompletedPayload", description: "A run ended with an outcome that the channel is notified of" });

export const TestPayload = z
  .looseObject({ ...envelope, event: z.literal("test") })
  .meta({ id: "TestPayload", description: "A test of the channel" });

export const WebhookPayload = z
  .discriminatedUnion("event", [RunCompletedPayload, TestPayload])
  .meta({ title: "Belfry webhook", description: "The body of a webhook; ignore members that are not described here" });

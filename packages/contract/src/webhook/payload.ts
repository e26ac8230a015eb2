import { webhookOutcomes, webhookSchemaId, webhookTriggers } from "@belfry/webhook-schema";
import { z } from "zod";
import { Instant, Text } from "./scalars.ts";

const envelope = {
  schema: z.literal(webhookSchemaId),
  delivery: z.looseObject({
    id: Text.meta({
      description:
        "Unique; the same in every attempt, also across restarts. A redelivery that somebody asks for has another",
    }),
    created_at: Instant,
  }),
  daemon: z.looseObject({ version: Text }),
};

const task = z.looseObject({
  id: Text,
  name: Text,
  group_id: Text.exactOptional().meta({ description: "Absent, as `group_name` is, for a task without a group" }),
  group_name: Text.exactOptional(),
});

const run = z.looseObject({
  id: Text,
  outcome: z.enum(webhookOutcomes),
  trigger: Text.meta({ description: "What asked for the run; an open list", examples: [...webhookTriggers] }),
  scheduled_for: Instant.meta({ description: "When it was due, or when it was asked for" }),
  started_at: Instant.meta({ description: "Of the first attempt; the time of its dispatch if no process started" }),
  ended_at: Instant,
  duration_ms: z.int().min(0),
  exit_code: z.int().exactOptional().meta({ description: "Absent where no process ended by itself" }),
});

/** What a receiver takes: unknown members, ids and triggers are welcome (contract: Webhook request payload). */
export const RunCompletedPayload = z
  .looseObject({ ...envelope, event: z.literal("run.completed"), task, run })
  .meta({ id: "RunCompletedPayload", description: "A task's run has ended with an outcome that was asked for" });

export const TestPayload = z
  .looseObject({ ...envelope, event: z.literal("test") })
  .meta({ id: "TestPayload", description: "Somebody tries the channel" });

export const WebhookPayload = z
  .discriminatedUnion("event", [RunCompletedPayload, TestPayload])
  .meta({ title: "Belfry webhook", description: "The body of a webhook; ignore members that are not described here" });

import { z } from "zod";
import { ResourceId, Timestamp } from "../../core/scalars.ts";
import { runOutcomes } from "../runs/schemas.ts";

/** Names the shape of every webhook body (contract: Webhook request payload). */
export const webhookSchemaId = "service.webhook.v1";

export const webhookEvents = ["run.completed", "test"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

const schema = z.literal(webhookSchemaId);

const WebhookDelivery = z
  .object({
    id: ResourceId.meta({
      description: "The same in every attempt, across restarts too: use it to drop what comes twice",
    }),
    created_at: Timestamp,
  })
  .meta({ id: "WebhookDelivery" });

const WebhookDaemon = z.object({ version: z.string() }).meta({ id: "WebhookDaemon" });

const WebhookTask = z
  .object({
    id: ResourceId,
    name: z.string(),
    group_id: ResourceId.optional().meta({ description: "Absent where the task was in no group" }),
    group_name: z.string().optional(),
  })
  .meta({ id: "WebhookTask" });

const WebhookRun = z
  .object({
    id: ResourceId,
    outcome: z.enum(runOutcomes),
    trigger: z.string().meta({ description: "What asked for the run", examples: ["schedule"] }),
    scheduled_for: Timestamp,
    started_at: Timestamp,
    ended_at: Timestamp,
    duration_ms: z.int().min(0),
    exit_code: z.int().optional().meta({ description: "Absent where no process ended by itself" }),
  })
  .meta({ id: "WebhookRun" });

export const RunCompletedPayload = z
  .object({
    schema,
    event: z.literal("run.completed"),
    delivery: WebhookDelivery,
    daemon: WebhookDaemon,
    task: WebhookTask,
    run: WebhookRun,
  })
  .meta({ id: "RunCompletedPayload", description: "A run has ended with an outcome that somebody wants to hear of" });
export type RunCompletedPayload = z.output<typeof RunCompletedPayload>;

export const TestPayload = z
  .object({ schema, event: z.literal("test"), delivery: WebhookDelivery, daemon: WebhookDaemon })
  .meta({ id: "TestPayload", description: "Sent on request, the way any other event is" });
export type TestPayload = z.output<typeof TestPayload>;

/** The body of a webhook request. Open: readers ignore members that they do not know. */
export const WebhookPayload = z
  .discriminatedUnion("event", [RunCompletedPayload, TestPayload])
  .meta({ id: "WebhookPayload" });
export type WebhookPayload = z.output<typeof WebhookPayload>;

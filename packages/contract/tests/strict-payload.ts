import { webhookOutcomes, webhookSchemaId, webhookTriggers } from "@belfry/webhook-schema";
import { z } from "zod";
import { Instant } from "../src/webhook/scalars.ts";

function id(prefix: string) {
  return z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{20}$`));
}

/** 1 to 200 characters without spaces around them, and no control characters. */
const Name = z.string().regex(/^(?!\s)\P{Cc}{1,200}(?<!\s)$/u);
/** As the daemon prints instants: with milliseconds. */
const SentInstant = Instant.regex(/\.\d{3}Z$/);

const envelope = {
  schema: z.literal(webhookSchemaId),
  delivery: z.strictObject({ id: id("dlv"), created_at: SentInstant }),
  daemon: z.strictObject({ version: z.string().regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/) }),
};

const task = z
  .strictObject({
    id: id("tsk"),
    name: Name,
    group_id: id("grp").exactOptional(),
    group_name: Name.exactOptional(),
  })
  .refine((each) => "group_id" in each === "group_name" in each, "group_id and group_name come together");

const run = z
  .strictObject({
    id: id("run"),
    outcome: z.enum(webhookOutcomes),
    trigger: z.enum(webhookTriggers),
    scheduled_for: SentInstant,
    started_at: SentInstant,
    ended_at: SentInstant,
    duration_ms: z.int().min(0),
    exit_code: z.int().exactOptional(),
  })
  .refine((each) => each.outcome === "failure" || "exit_code" in each, "a success has an exit code");

/**
 * The strict schema for the sender's tests: exactly what this version sends, without other members. A receiver must not
 * use it, because a newer daemon may add members.
 */
export const StrictWebhookPayload = z.discriminatedUnion("event", [
  z.strictObject({ ...envelope, event: z.literal("run.completed"), task, run }),
  z.strictObject({ ...envelope, event: z.literal("test") }),
]);

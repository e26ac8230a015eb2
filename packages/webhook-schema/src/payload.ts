/** The value of `schema` in every payload of this version. */
export const webhookSchemaId = "service.webhook.v1";

/** The values of `event`. */
export const webhookEvents = ["run.completed", "test"] as const;
/** The event of a delivery. `X-Service-Event` has the same value. */
export type WebhookEvent = (typeof webhookEvents)[number];

/** The values of `run.outcome`. */
export const webhookOutcomes = ["success", "failure"] as const;
/** The outcome of a run. Cancelled and skipped runs have none, and send no webhook. */
export type WebhookOutcome = (typeof webhookOutcomes)[number];

/** The known values of `run.trigger`. */
export const webhookTriggers = ["schedule", "manual", "completion", "external_trigger", "filesystem_watcher"] as const;
/** What started a run. A newer daemon may send other values. */
export type WebhookTrigger = (typeof webhookTriggers)[number] | (string & Record<never, never>);

/** The members of every payload. Times are RFC 3339 in UTC (`2026-11-21T01:18:00.123Z`), with or without a fraction. */
interface WebhookEnvelope {
  readonly schema: typeof webhookSchemaId;
  readonly delivery: {
    /**
     * The same in every attempt, even after a restart of the daemon: deduplicate by it. A manual redelivery has another id,
     * so deduplicate work that must happen once per run by `run.id` too.
     */
    readonly id: string;
    readonly created_at: string;
  };
  readonly daemon: { readonly version: string };
}

/** A run has ended with an outcome that the channel is assigned to. The last attempt is over. */
export interface RunCompletedPayload extends WebhookEnvelope {
  readonly event: "run.completed";
  readonly task: {
    readonly id: string;
    readonly name: string;
    /** Absent, like `group_name`, if the task has no group; never null. */
    readonly group_id?: string;
    readonly group_name?: string;
  };
  readonly run: {
    readonly id: string;
    readonly outcome: WebhookOutcome;
    readonly trigger: WebhookTrigger;
    /** The scheduled time. For a run that no schedule started, the time for which it was requested. */
    readonly scheduled_for: string;
    /** The start of the first attempt. If no process started, the dispatch time. */
    readonly started_at: string;
    readonly ended_at: string;
    /** The duration of all attempts in whole milliseconds; 0 for a run that never started. */
    readonly duration_ms: number;
    /** The exit code of the last attempt. Absent, never null, after a signal, a timeout or a failed start. */
    readonly exit_code?: number;
  };
}

/** A test of a channel. It is sent like any other event, but no run has ended. */
export interface TestPayload extends WebhookEnvelope {
  readonly event: "test";
}

/**
 * The body of a webhook; `event` tells the two types apart (contract: Webhook request payload). A newer daemon may send
 * members that are not listed here: ignore them.
 */
export type WebhookPayload = RunCompletedPayload | TestPayload;

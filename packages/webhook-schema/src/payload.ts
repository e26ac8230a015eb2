/** What `schema` says in every payload of this version. */
export const webhookSchemaId = "service.webhook.v1";

export const webhookEvents = ["run.completed", "test"] as const;
/** What a delivery tells of; `X-Service-Event` says the same. */
export type WebhookEvent = (typeof webhookEvents)[number];

export const webhookOutcomes = ["success", "failure"] as const;
/** How a run ended. A run that was cancelled or skipped has no outcome, and is not told of. */
export type WebhookOutcome = (typeof webhookOutcomes)[number];

export const webhookTriggers = ["schedule", "manual", "completion", "external_trigger", "filesystem_watcher"] as const;
/** What asked for a run. An open list: a newer daemon may send others. */
export type WebhookTrigger = (typeof webhookTriggers)[number] | (string & Record<never, never>);

/** What every payload has. Times are RFC 3339 in UTC (`2026-11-21T01:18:00.123Z`), with or without a fraction. */
interface WebhookEnvelope {
  readonly schema: typeof webhookSchemaId;
  readonly delivery: {
    /**
     * The same in every attempt, also across restarts: deduplicate by it. A redelivery that somebody asks for has another id;
     * what must happen once per run is deduplicated by `run.id` too.
     */
    readonly id: string;
    readonly created_at: string;
  };
  readonly daemon: { readonly version: string };
}

/** A run has ended, and its outcome is one that was asked for. Retries are over: it is the end of the last attempt. */
export interface RunCompletedPayload extends WebhookEnvelope {
  readonly event: "run.completed";
  readonly task: {
    readonly id: string;
    readonly name: string;
    /** Absent, as `group_name` is, for a task without a group; never null. */
    readonly group_id?: string;
    readonly group_name?: string;
  };
  readonly run: {
    readonly id: string;
    readonly outcome: WebhookOutcome;
    readonly trigger: WebhookTrigger;
    /** When it was due; for a run that nothing scheduled, when it was asked for. */
    readonly scheduled_for: string;
    /** Of the first attempt; for a run whose process never started, when it was dispatched. */
    readonly started_at: string;
    readonly ended_at: string;
    /** Whole milliseconds over all attempts; 0 for a run that never started. */
    readonly duration_ms: number;
    /** Of the last attempt; absent, never null, where no process ended by itself: a signal, a timeout, a failed start. */
    readonly exit_code?: number;
  };
}

/** Somebody tries a channel: the same transport, and nothing happened. */
export interface TestPayload extends WebhookEnvelope {
  readonly event: "test";
}

/**
 * The body of a webhook, told apart by `event` (contract: Webhook request payload). Members that are not written
 * here may be added by a newer daemon: ignore them.
 */
export type WebhookPayload = RunCompletedPayload | TestPayload;

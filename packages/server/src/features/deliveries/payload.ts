import { type RunCompletedPayload, type RunOutcome, type TestPayload, webhookSchemaId } from "@belfry/contract";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import type { RunRow } from "../runs/index.ts";

export interface DeliveryHead {
  readonly id: string;
  readonly createdAt: Instant;
  /** The daemon's version. */
  readonly version: string;
}

/** A run that has ended with an outcome. */
export interface EndedRun {
  readonly run: RunRow;
  readonly outcome: RunOutcome;
}

/**
 * Builds the body of a webhook (contract: Webhook request payload). It names each member, so that a task's command,
 * directory, environment and output cannot get into the body.
 */
export function runCompletedPayload(head: DeliveryHead, ended: EndedRun): RunCompletedPayload {
  const { run, outcome } = ended;
  const endedAt = run.endedAt ?? head.createdAt;
  return {
    schema: webhookSchemaId,
    event: "run.completed",
    ...headOf(head),
    task: {
      id: run.taskId,
      name: run.taskName,
      ...(run.groupId === null ? {} : { group_id: run.groupId }),
      ...(run.groupName === null ? {} : { group_name: run.groupName }),
    },
    run: {
      id: run.id,
      outcome,
      trigger: run.trigger,
      scheduled_for: formatInstant(run.scheduledFor),
      started_at: formatInstant(run.startedAt ?? endedAt),
      ended_at: formatInstant(endedAt),
      duration_ms: run.durationMs ?? 0,
      ...(run.exitCode === null ? {} : { exit_code: run.exitCode }),
    },
  };
}

export function testPayload(head: DeliveryHead): TestPayload {
  return { schema: webhookSchemaId, event: "test", ...headOf(head) };
}

/** Copies an event for another delivery. */
export function renewPayload<P extends RunCompletedPayload | TestPayload>(former: P, head: DeliveryHead): P {
  return { ...former, ...headOf(head) };
}

function headOf({ id, createdAt, version }: DeliveryHead) {
  return { delivery: { id, created_at: formatInstant(createdAt) }, daemon: { version } };
}

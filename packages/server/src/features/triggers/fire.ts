import type { Fired, TriggerFireCode, TriggerReason } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { type Requests, type RunFact, type RunRow, type RunStore, soleSource } from "../runs/index.ts";
import { explainObstacle, type Tasks } from "../tasks/index.ts";
import { hashKey } from "./keys.ts";
import type { TriggerStore } from "./store.ts";
import type { TriggerRow } from "./table.ts";

export interface FireDeps {
  readonly store: TriggerStore;
  readonly tasks: Tasks;
  readonly requests: Requests;
  readonly runs: RunStore;
}

export type Fire = ReturnType<typeof createFire>;

type Obstacle = Exclude<TriggerReason, "ready">;

/** The error code for each obstacle (contract: Trigger). An unknown key has a code of its own. */
const codes: Readonly<Record<Obstacle, TriggerFireCode>> = {
  trigger_disabled: "trigger_disabled",
  target_missing: "trigger_target_missing",
  command_incomplete: "trigger_command_incomplete",
  task_inactive: "trigger_task_inactive",
  task_disabled: "trigger_task_disabled",
  group_blocked: "trigger_group_blocked",
  held: "trigger_dispatch_unavailable",
  dispatch_unavailable: "trigger_dispatch_unavailable",
};

export function createFire({ store, tasks, requests, runs }: FireDeps) {
  /** The key's hash is looked up, so the time that this takes says nothing about the keys that exist. */
  const triggerWith = (key: string): TriggerRow => {
    const trigger = store.findByHash(hashKey(key));
    if (trigger !== undefined) return trigger;
    throw new AppError("trigger_unknown", "no trigger has this key: check the key, which may have been rotated", {
      field: "key",
    });
  };

  return {
    triggerWith,

    /** Fires a trigger. The run and the count are written together; a fire without a run leaves only its audit row. */
    fire: (unit: Unit<RunFact>, key: string): Fired => {
      const trigger = triggerWith(key);
      const task = tasks.find(trigger.targetTaskId);
      const reason = trigger.enabled ? tasks.readiness(task) : "trigger_disabled";
      if (reason !== "ready") throw refusal(reason);
      invariant(task !== undefined, "a task that is ready exists");
      const cause = { trigger: "external_trigger", sourceTriggerId: trigger.id } as const;
      const run = requests.requestReady(unit, task, soleSource(cause, unit.now, unit.now));
      store.countFire(trigger.id, unit.now);
      return viewFired(run, trigger.id);
    },

    /** Finds the trigger of a key for the audit trail, even if the fire was rejected. */
    triggerOf: (key: string): string | null => store.findByHash(hashKey(key))?.id ?? null,

    /** Answers a repeated fire with the current state of its run, if the key is still valid. */
    again: (key: string, runId: string): Fired => {
      const run = runs.find(runId);
      if (run === undefined)
        throw new AppError(
          "conflict",
          `this Idempotency-Key was already used to start the run ${runId}, which has since been deleted: use a new Idempotency-Key to fire again`,
        );
      const resourceId = run.sourceTriggerId ?? "";
      if (store.findByHash(hashKey(key))?.id !== resourceId) {
        throw new AppError(
          "conflict",
          `this Idempotency-Key was already used to start the run ${runId}. Since then the trigger's key was rotated, or the trigger was deleted: use a valid key and a new Idempotency-Key`,
          { resourceId },
        );
      }
      return viewFired(run, resourceId);
    },
  };
}

function refusal(reason: Obstacle): AppError {
  const message =
    reason === "trigger_disabled" ? "the trigger is disabled: enable the trigger first" : explainObstacle(reason);
  return new AppError(codes[reason], message);
}

function viewFired(run: RunRow, triggerId: string): Fired {
  return { run_id: run.id, task_id: run.taskId, trigger_id: triggerId, state: run.state };
}

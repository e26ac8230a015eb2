import type { TriggerSet } from "../modules/trigger-sets/schemas.ts";
import type { Fired, Trigger } from "../modules/triggers/schemas.ts";
import { ids, made, names } from "./example-names.ts";

const trigger: Trigger = {
  id: ids.trigger,
  name: "Deploy from CI",
  target_task_id: ids.task,
  target_task_name: names.task,
  enabled: true,
  readiness: "ready",
  reason: "ready",
  key_prefix: "bfk_9sLq2XvT",
  last_fired_at: "2026-11-21T01:18:00.123Z",
  fire_count: 12,
  ...made,
};

const triggerSet: TriggerSet = {
  id: ids.trigger_set,
  name: "Build agents",
  target_task_id: ids.task,
  target_task_name: names.task,
  member_count: 1,
  enabled_count: 1,
  members: [{ ...trigger, name: "Build agents 1", set_id: ids.trigger_set, set_name: "Build agents", set_position: 1 }],
  ...made,
};

const fireSecret = {
  key: "bfk_9sLq2XvT_kV7nRw4ZpYb1cJ0hFtMd8uG3eQx6aSoi",
  command: `{ sed -n '1{s/[[:space:]]*$//;s/.*/{"key":"&"}/p;q;}' | curl --silent --show-error --fail-with-body --unix-socket '/run/user/1000/belfry/belfry.sock' --header 'Content-Type: application/json' --data-binary @- http://belfry/v1/triggers/fire; }`,
};

const fired: Fired = { run_id: ids.run, task_id: ids.task, trigger_id: ids.trigger, state: "queued" };

export const triggerExamples = {
  Trigger: trigger,
  TriggerList: { triggers: [trigger], next_cursor: null },
  TriggerSecret: { trigger, ...fireSecret },
  Fired: fired,
  TriggerSet: triggerSet,
  TriggerSetList: { trigger_sets: [triggerSet], next_cursor: null },
  TriggerSetSecrets: {
    trigger_set: triggerSet,
    keys: [{ trigger_id: ids.trigger, position: 1, ...fireSecret }],
  },
};

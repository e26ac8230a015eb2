import type { WebhookPayload } from "@belfry/client";

export const fixtureNames = ["failure", "success", "no-group", "test"] as const;
export type FixtureName = (typeof fixtureNames)[number];

const schema = "service.webhook.v1";
const head = {
  delivery: { id: "dlv_3gMv8JhPq6Ws1YbKt5Xe", created_at: "2026-11-21T02:07:41.530Z" },
  daemon: { version: "1.4.0" },
} as const;
const task = { id: "tsk_4fzH1TqWb8YkV0c2LxNd", name: "Nightly backup" } as const;
const group = { group_id: "grp_7Kq2mXv0Rz9tYb4LwNcD", group_name: "Backups" } as const;
const run = {
  id: "run_0hB9yCkR4wUe7fLi2oSg",
  trigger: "schedule",
  scheduled_for: "2026-11-21T02:00:00.000Z",
  started_at: "2026-11-21T02:00:00.021Z",
  ended_at: "2026-11-21T02:07:41.530Z",
  duration_ms: 461_509,
} as const;

/** Bodies as the daemon sends them. The id is always the same: a receiver that drops what comes twice can be tried. */
export const fixtures: Readonly<Record<FixtureName, WebhookPayload>> = {
  failure: {
    schema,
    event: "run.completed",
    ...head,
    task: { ...task, ...group },
    run: { ...run, outcome: "failure", exit_code: 1 },
  },
  success: {
    schema,
    event: "run.completed",
    ...head,
    task: { ...task, ...group },
    run: { ...run, outcome: "success", exit_code: 0 },
  },
  "no-group": { schema, event: "run.completed", ...head, task, run: { ...run, outcome: "failure" } },
  test: { schema, event: "test", ...head },
};

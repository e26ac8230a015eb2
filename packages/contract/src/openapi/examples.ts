import type { AuditChain, AuditEvent } from "../modules/audit/operations.ts";
import type { Hold } from "../modules/holds/schemas.ts";
import type { Group } from "../modules/groups/schemas.ts";
import type { IdempotencyUse } from "../modules/idempotency/operations.ts";
import type { ImportResult } from "../modules/import/operations.ts";
import { capabilityNames } from "../modules/manifest/capability-names.ts";
import type { Manifest } from "../modules/manifest/operations.ts";
import type { RuntimeInfo } from "../modules/runtime-info/operations.ts";
import type { Run } from "../modules/runs/schemas.ts";
import type { Preview } from "../modules/schedules/preview.ts";
import type { Schedule } from "../modules/schedules/schemas.ts";
import type { Task } from "../modules/tasks/schemas.ts";

import { ids, made, names } from "./example-names.ts";
import { agenda } from "./agenda-example.ts";
import { failuresOf, runAttempt, timeline } from "./timeline-example.ts";
import { accessExamples } from "./access-examples.ts";
import { chainExamples } from "./chain-examples.ts";
import { notificationExamples } from "./notification-examples.ts";
import { triggerExamples } from "./trigger-examples.ts";
import { watcherExamples } from "./watcher-examples.ts";
import { why } from "./why-example.ts";

const manifest: Manifest = {
  installation_id: "ins_c8Rk3MwYt6Vz1NqPx0Hd",
  display_name: "Build machine",
  product_version: "1.4.0",
  protocol_versions: { local: "v1", remote: null },
  operating_mode: "local_only",
  capabilities: [...capabilityNames],
  platform: { os: "linux", arch: "x64", runtime: "node 24.21.0" },
  revision: 1,
};

const runtimeInfo: RuntimeInfo = {
  data_dir: "/home/ada/.local/share/belfry",
  database_path: "/home/ada/.local/share/belfry/belfry.db",
  config_path: "/home/ada/.local/share/belfry/config.toml",
  log_path: "/home/ada/.local/share/belfry/log/belfry.log",
  lock_path: "/home/ada/.local/share/belfry/lock",
  storage_faults: [],
  unsafe_files: [],
  silent_runners: [],
  held_outputs: [],
  paused_starts: [],
};

const group: Group = {
  id: ids.group,
  name: names.group,
  parent_id: null,
  enabled: true,
  max_concurrent_runs: 2,
  time_zone: "Europe/Berlin",
  environment_names: ["BACKUP_TARGET"],
  description: null,
  ...made,
};

const hold: Hold = {
  id: ids.hold,
  group_id: null,
  group_name: null,
  cause: "requested",
  reason: "Database upgrade",
  until: "2026-12-01T06:00:00.000Z",
  created_at: "2026-11-30T22:00:00.000Z",
  updated_at: "2026-11-30T22:00:00.000Z",
};

const task: Task = {
  id: ids.task,
  name: names.task,
  description: "Copies the archive to the second disk",
  group_id: ids.group,
  group_name: names.group,
  lifecycle: "active",
  enabled: true,
  command: { kind: "shell", script: "backup --all" },
  run_as: "backup",
  working_directory: "/srv/archive",
  environment_names: ["BACKUP_LEVEL"],
  has_standard_input: false,
  timeout: "2h",
  kill_grace: "10s",
  leftovers: "leave",
  retry: { max_attempts: 3, delay: "1m", backoff: 2, max_delay: "1h", jitter: 0.1 },
  priority: 0,
  on_lost: "retry",
  concurrency: { limit: 1, key: "disk", on_conflict: "skip" },
  success_exit_codes: [0],
  output: { max_bytes: 10_485_760 },
  expect_success_within: "26h",
  overdue: false,
  last_success_at: "2026-11-21T01:19:02.870Z",
  last_run: {
    id: ids.run,
    state: "succeeded",
    outcome: "success",
    reason: "exit_code",
    exit_code: 0,
    signal: null,
    started_at: "2026-11-21T01:18:00.123Z",
    ended_at: "2026-11-21T01:19:02.870Z",
    duration_ms: 62_747,
  },
  recent_outcomes: [{ run_id: ids.run, outcome: "success", ended_at: "2026-11-21T01:19:02.870Z" }],
  usual_duration_ms: 61_900,
  next_run_at: "2026-11-22T02:00:00.000Z",
  retention: { runs: 500, age: "90d", bytes: 1_073_741_824 },
  labels: { team: "storage" },
  readiness: "ready",
  reason: "ready",
  ...made,
};

const schedule: Schedule = {
  id: ids.schedule,
  task_id: ids.task,
  task_name: names.task,
  name: names.schedule,
  kind: "cron",
  expression: "0 3 * * *",
  every: null,
  at: null,
  time_zone: null,
  effective_time_zone: "Europe/Berlin",
  jitter: "0s",
  spread: false,
  misfire: { policy: "run_once", window: "1d", max_runs: 100 },
  dst: { gap: "run_after", overlap: "first" },
  anchored_at: null,
  starts_at: null,
  ends_at: null,
  enabled: true,
  paused_until: null,
  paused: false,
  next_run_at: "2026-11-22T02:00:00.000Z",
  last_run_at: "2026-11-21T02:00:00.000Z",
  ...made,
};

const run: Run = {
  id: ids.run,
  task_id: ids.task,
  task_name: names.task,
  group_id: ids.group,
  group_name: names.group,
  state: "succeeded",
  outcome: "success",
  reason: "exit_code",
  reason_text: "exited with code 0",
  exit_code: 0,
  signal: null,
  attempt: 1,
  attempts_max: 3,
  trigger: "schedule",
  source_schedule_id: ids.schedule,
  source_chain_id: null,
  scheduled_for: "2026-11-21T02:00:00.000Z",
  queued_at: "2026-11-21T02:00:00.004Z",
  started_at: "2026-11-21T02:00:00.021Z",
  ended_at: "2026-11-21T02:07:41.530Z",
  duration_ms: 461_509,
  coalesced: 0,
  coalesced_from: null,
  output: { stdout_bytes: 18_204, stderr_bytes: 0, stdout_cut: 0, stderr_cut: 0 },
  pid: 48_213,
  host: "build-1",
};

const preview: Preview = {
  kind: "cron",
  time_zone: "America/New_York",
  occurrences: [
    {
      instant: "2026-03-08T07:00:00.000Z",
      due_at: "2026-03-08T07:00:00.000Z",
      local: "2026-03-08T03:00:00-04:00",
      offset: "-04:00",
      dst_note: "gap",
      dst_shift: "1h",
    },
  ],
  dst_gaps: [
    {
      at: "2026-03-08T07:00:00.000Z",
      length: "1h",
      local_times: ["2026-03-08T02:30:00"],
      local_times_count: 1,
      runs_at: "2026-03-08T07:00:00.000Z",
    },
  ],
};

const importResult: ImportResult = {
  id: ids.import,
  dry_run: false,
  groups: [],
  tasks: [{ key: "backup", id: ids.task, name: names.task }],
  schedules: [{ key: "nightly", id: ids.schedule, name: names.schedule }],
};

const auditEvent: AuditEvent = {
  id: "aud_Wd1sKx7VnQ4mJc9ZtB2e",
  at: "2026-11-02T09:30:00.000Z",
  actor_id: "act_Lx2Uj9EoGq5Yt7PbSi3W",
  actor_name: "local",
  transport: "local",
  operation: "tasks.update",
  resource_type: "task",
  resource_id: ids.task,
  result: "allowed",
  error_code: null,
  request_id: "req_Fy6Rg3HpLu0Ia8TkNv5C",
  changed_fields: ["timeout"],
  previous_hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  hash: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
};

const auditChain: AuditChain = {
  head: { number: 104_212, hash: auditEvent.hash },
  anchor: { number: 4_000, hash: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae" },
  authenticated_since: "2026-11-02T09:29:58.117Z",
  tampered_at: null,
};

const idempotencyUse: IdempotencyUse = {
  used: true,
  operation: "runs.rerun",
  resource_id: ids.run,
  at: "2026-11-21T12:00:00.000Z",
};

/** An example id for a path, by the resource of the operation. */
export const idExamples: Readonly<Record<string, string>> = { ...ids, notification_assignment: ids.task };

/** Example answers by the name of their schema. */
export const answerExamples: Readonly<Record<string, unknown>> = {
  Health: { status: "ok" },
  Manifest: manifest,
  RuntimeInfo: runtimeInfo,
  OpenapiDocument: { openapi: "3.1.0", info: { title: "Belfry", version: "v1" }, paths: {} },
  Group: group,
  GroupList: { groups: [group], next_cursor: null },
  Hold: hold,
  HoldList: { holds: [hold], next_cursor: null },
  Task: task,
  TaskList: { tasks: [task], next_cursor: null },
  TaskEnvironment: { environment: { BACKUP_LEVEL: "full" } },
  TaskStandardInput: { standard_input: null },
  Schedule: schedule,
  ScheduleList: { schedules: [schedule], next_cursor: null },
  Preview: preview,
  Agenda: agenda,
  Why: why,
  Timeline: timeline,
  Run: run,
  RunFailures: failuresOf(run),
  RunAttemptList: { attempts: [runAttempt] },
  RunList: { runs: [run], next_cursor: null },
  ...triggerExamples,
  ...watcherExamples,
  ...chainExamples,
  ...notificationExamples,
  ImportResult: importResult,
  ...accessExamples,
  AuditEventList: { audit_events: [auditEvent], next_cursor: null },
  AuditChain: auditChain,
  IdempotencyUse: idempotencyUse,
};

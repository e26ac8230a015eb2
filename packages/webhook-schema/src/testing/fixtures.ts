import type { RunCompletedPayload, TestPayload, WebhookPayload } from "../payload.ts";

const envelope = {
  schema: "service.webhook.v1",
  delivery: { id: "dlv_4fzH1TqWb8YkV0c2LxNd", created_at: "2026-11-21T01:18:42.530Z" },
  daemon: { version: "1.4.0" },
} as const;

const success: RunCompletedPayload = {
  ...envelope,
  event: "run.completed",
  task: {
    id: "tsk_Zp3mR8uWc1XkQ7vJ5yBn",
    name: "Nightly backup",
    group_id: "grp_9sLd2KfTg6HwE4aNxMoU",
    group_name: "Backups",
  },
  run: {
    id: "run_A1bC2dE3fG4hI5jK6lM7",
    outcome: "success",
    trigger: "schedule",
    scheduled_for: "2026-11-21T01:18:00.000Z",
    started_at: "2026-11-21T01:18:00.123Z",
    ended_at: "2026-11-21T01:18:42.518Z",
    duration_ms: 42_395,
    exit_code: 0,
  },
};

/** Each fixture has its own ids, so that a receiver that deduplicates accepts them all. */
function runCompleted(
  letter: string,
  { task = {}, run = {} }: { task?: Partial<RunCompletedPayload["task"]>; run?: Partial<RunCompletedPayload["run"]> },
): RunCompletedPayload {
  return {
    ...success,
    delivery: { ...success.delivery, id: `dlv_${letter.repeat(20)}` },
    task: { ...success.task, ...task },
    run: { ...success.run, ...run, id: `run_${letter.repeat(20)}` },
  };
}

function withoutExitCode({ run: { exit_code: _, ...run }, ...payload }: RunCompletedPayload): RunCompletedPayload {
  return { ...payload, run };
}

function withoutGroup({ task: { id, name }, ...payload }: RunCompletedPayload): RunCompletedPayload {
  return { ...payload, task: { id, name } };
}

const test: TestPayload = {
  ...envelope,
  delivery: { ...envelope.delivery, id: "dlv_T0T0T0T0T0T0T0T0T0T0" },
  event: "test",
};

const unknownMembers: RunCompletedPayload & { readonly links: object } = {
  ...runCompleted("U", {}),
  links: { run: "belfry://run/run_UUUUUUUUUUUUUUUUUUUU", more: [1, null, true] },
};

/** Payloads that the current daemon may send. */
const sentToday = {
  success,
  failure: runCompleted("F", { run: { outcome: "failure", exit_code: 1 } }),
  test,
  /** Names of 200 characters, the maximum. */
  longNames: runCompleted("L", { task: { name: "n".repeat(200), group_name: "\u{1f514}".repeat(200) } }),
  /** Right-to-left scripts, combining marks, and special characters of HTML and shells. */
  nonAsciiNames: runCompleted("N", {
    task: { name: "夜間バックアップ – «données» 🔔 e\u0301", group_name: `שלום <b>&"'$(x)` },
  }),
  noGroup: withoutGroup(runCompleted("G", {})),
  /** The run ended by a signal or a timeout, or was lost, so there is no exit code. */
  noExitCode: withoutExitCode(runCompleted("X", { run: { outcome: "failure" } })),
  /** For example, the program was not found. */
  neverStarted: withoutExitCode(
    runCompleted("S", {
      run: { outcome: "failure", ended_at: "2026-11-21T01:18:00.123Z", duration_ms: 0 },
    }),
  ),
  /** A Windows exit code: 0xC0000005. */
  largeExitCode: runCompleted("E", { run: { outcome: "failure", exit_code: 3_221_225_477 } }),
  manual: runCompleted("M", { run: { trigger: "manual", scheduled_for: "2026-11-21T01:18:00.101Z" } }),
  completion: runCompleted("C", { run: { trigger: "completion" } }),
  externalTrigger: runCompleted("K", { run: { trigger: "external_trigger" } }),
  filesystemWatcher: runCompleted("W", { run: { trigger: "filesystem_watcher" } }),
} as const satisfies Readonly<Record<string, WebhookPayload>>;

/** Payloads that a newer daemon may send. */
const allowed = {
  wholeSeconds: runCompleted("1", {
    run: {
      scheduled_for: "2026-11-21T01:18:00Z",
      started_at: "2026-11-21T01:18:00Z",
      ended_at: "2026-11-21T01:18:42Z",
      duration_ms: 42_000,
    },
  }),
  fractionalSeconds: runCompleted("9", {
    run: { started_at: "2026-11-21T01:18:00.1Z", ended_at: "2026-11-21T01:18:42.518123456Z" },
  }),
  unknownMembers,
  unknownTrigger: runCompleted("Q", { run: { trigger: "moon_phase" } }),
} as const satisfies Readonly<Record<string, WebhookPayload>>;

/**
 * Payloads for a receiver's tests. The package also has them as JSON files: `noGroup` is `fixtures/no-group.json`. The
 * current daemon does not send the last four, but a receiver must accept them.
 */
export const fixtures = { ...sentToday, ...allowed };

export type FixtureName = keyof typeof fixtures;

/** The fixtures that the current daemon may send. */
export const sentTodayNames = Object.keys(sentToday) as (keyof typeof sentToday)[];

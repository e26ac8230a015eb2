import { type Client, type Schedule, type Task, type TaskCreate, UncertainOutcomeError } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { taskMembers, nestedTaskMembers } from "../../definitions/task-members.ts";
import { taskOptions } from "../../definitions/task-options.ts";
import { readTiming, type Timing } from "../../definitions/timing.ts";
import { scheduleOptions, timingsToAdd } from "../../definitions/timing-options.ts";
import { warnOfStart } from "../../definitions/start-warning.ts";
import { exitCodes } from "../../exit-codes.ts";
import { Failure, usage } from "../../failure.ts";
import { findGroupOfTask } from "../../find/group.ts";
import { isSkipped, readReleases, type ReleaseOf, skippedText } from "../../find/held-tasks.ts";
import { listHolds } from "../../find/hold.ts";
import { wordForTask } from "../../find/task.ts";
import { flag, text } from "../../options.ts";
import { quoteName } from "../../output/hints.ts";
import { nextRunText } from "../../views/schedule.ts";
import { taskState } from "../../views/task-glance.ts";

export const command = defineCommand({
  arguments: [{ name: "name", summary: "name of the task" }],
  takesProgram: true,
  options: {
    ...timingsToAdd,
    group: text("--group <group>", "group of the task (default none)"),
    ...taskOptions,
    ...scheduleOptions,
    disabled: flag("--disabled", "add the task disabled"),
    draft: flag("--draft", "allow a task without a command; it cannot run yet"),
  },
  details:
    "The task and its schedule are added together. If either is invalid, neither is added. Add more schedules with: belfry schedule add",
  examples: [
    [
      'belfry task add "Nightly backup" --cron "0 3 * * *" --tz Europe/Berlin -- backup --all',
      "run a program every night at 03:00, Berlin time",
    ],
    [
      `belfry task add Heartbeat --every 5m --timeout 10s --shell 'curl -fsS "$URL" > /dev/null' --env URL`,
      "run a shell script, with a secret from your environment",
    ],
    [
      'belfry task add "Send report" --at "tomorrow 08:00" --retries 3 -- /opt/report/send',
      "run once, with up to three retries",
    ],
    [
      "belfry task add Cleanup -- find /tmp/cache -mtime +7 -delete",
      "add a task without a schedule; start it with: belfry task run Cleanup",
    ],
  ],
  run: async ({ connect, connectLocal, args: [name], options, program, host, out }) => {
    const members = await taskMembers(options, program, host);
    if (members.command === undefined && options.draft !== true) {
      throw usage(
        "missing command: give a program after --, or use --shell",
        `For example: belfry task add ${quoteName(name)} -- /path/to/program --its-option`,
      );
    }
    if (members.command !== undefined && options.draft === true)
      throw usage("--draft and a command cannot be combined: a draft is a task without a command");
    if (options.retryDelay !== undefined && options.retries === undefined && options.onLost !== "retry")
      throw usage("--retry-delay requires --retries or --on-lost retry: by default, a task is not retried");
    const timing = readTiming(options, { nowMs: host.now(), note: (remark) => out.note(remark) });
    const client = await connect();
    const group_id = options.group === undefined ? undefined : (await findGroupOfTask(client, options.group)).id;
    const task = {
      name,
      enabled: options.disabled !== true,
      ...withoutUndefined({ group_id }),
      ...members,
      ...nestedTaskMembers(options),
    };
    const local = await connectLocal();
    const id = local === null ? await addRemotely(client, task, timing) : await addTogether(local, task, timing);
    const answer = await readBack(client, id);
    const warning = local === null ? null : await warnOfStart(answer.task, host);
    if (warning !== null) out.note(warning);
    const holds = answer.task.reason === "held" ? await listHolds(client) : [];
    const release = (await readReleases(client, holds))(answer.task.group_id);
    const word = out.json ? name : await wordForTask(client, answer.task);
    out.answer(answer, () => out.hint(describeAdded(answer, { nowMs: host.now(), release, word })));
  },
});

/** In one transaction. A task alone needs no import, whose audit record would not name the task. */
async function addTogether(client: Client, task: TaskCreate, timing: Timing | null): Promise<string> {
  if (timing === null) return (await client.tasks.create(task)).id;
  const made = await client.import.create({
    tasks: [{ key: "task", ...task }],
    schedules: [{ key: "schedule", task_key: "task", ...timing }],
  });
  return made.tasks[0]!.id;
}

/** Remote callers have no import. A task whose schedule is rejected is deleted again. */
async function addRemotely(client: AnyClient, task: TaskCreate, timing: Timing | null): Promise<string> {
  const { id } = await client.tasks.create(task);
  try {
    if (timing !== null) await client.schedules.create({ task_id: id, ...timing });
  } catch (error) {
    // it may have been added
    if (error instanceof UncertainOutcomeError) throw error;
    await client.tasks.delete(id).catch(async () => {
      throw await explainLeftTask(error, { id, name: task.name });
    });
    throw error;
  }
  return id;
}

async function explainLeftTask(error: unknown, { id, name }: Pick<Task, "id" | "name">): Promise<Failure> {
  const { explainError } = await import("../../explain-error.ts");
  const { message } = await explainError(error, { called: null });
  return new Failure(
    exitCodes.uncertain,
    `the schedule could not be added (${message}), and task ${JSON.stringify(name)} could perhaps not be removed again`,
    { code: "uncertain", hint: `Check whether the task exists with: belfry task show ${id}` },
  );
}

interface Added {
  readonly task: Task;
  readonly schedules: readonly Schedule[];
}

interface Surroundings {
  readonly nowMs: number;
  /** Until when the task is held. */
  readonly release: ReturnType<ReleaseOf>;
  /** By what a command finds the task. */
  readonly word: string;
}

async function readBack(client: AnyClient, id: string): Promise<Added> {
  const [task, { schedules }] = await Promise.all([client.tasks.get(id), client.schedules.list({ task_id: id })]);
  return { task, schedules };
}

function describeAdded({ task, schedules }: Added, { nowMs, release, word }: Surroundings): string {
  const textOf = (schedule: Schedule): string => {
    const next = nextRunText(schedule, nowMs);
    const isHeld = schedule.next_run_at !== null && isSkipped(schedule.next_run_at, release);
    return isHeld ? `${next}, ${skippedText(release)}` : next;
  };
  const state = taskState(task);
  const name = quoteName(word);
  const first = `Added task ${JSON.stringify(task.name)} (${task.id})${state === "ready" ? "" : `, ${state}`}`;
  if (task.lifecycle === "draft") {
    const times = schedules.map((schedule) => `${textOf(schedule)}. `).join("");
    return `${first}. ${times}Set its command with \`belfry task edit ${name} -- <program> [arguments...]\`: until then, it cannot run`;
  }
  if (schedules.length > 0) return `${first}: ${schedules.map(textOf).join("; ")}`;
  return `${first}. The task has no schedule. Run it with \`belfry task run ${name}\`, or add a schedule with \`belfry schedule add ${name} --cron "0 3 * * *"\``;
}

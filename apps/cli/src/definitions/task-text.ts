import type { Task, TaskPatch } from "@belfry/client";
import { formatDuration, parseDuration } from "@belfry/contract";
import { usage } from "../failure.ts";
import { explainDuration, readDuration } from "../input/duration.ts";
import { parseCommentedJson } from "./commented-json.ts";

/** Members that the daemon computes, that have a form of their own here, or that are secret. */
const omitted = new Set([
  "id",
  "name",
  "group_id",
  "group_name",
  "lifecycle",
  "environment_names",
  "has_standard_input",
  "overdue",
  "last_success_at",
  "last_run",
  "recent_outcomes",
  "usual_duration_ms",
  "next_run_at",
  "readiness",
  "reason",
  "created_at",
  "updated_at",
  "revision",
]);

/** What can be said about a member, in words. */
const comments: Readonly<Record<string, string>> = {
  group: "the name of a group, or null",
  description: "a text, or null",
  command:
    'a program: {"kind": "exec", "program": "backup", "arguments": ["--all"]}, or a script: {"kind": "shell", "script": "backup --all"}',
  working_directory: "an absolute path, or null for the home directory of the task's user",
  run_as: "the name of a user, or null for the daemon's user",
  timeout: 'the time limit of each attempt, such as "2h", or null',
  kill_grace: "the time between TERM and KILL",
  leftovers: '"leave" or "kill": what happens to processes that the task leaves',
  retry: "max_attempts counts the first attempt; jitter is a fraction from 0 to 1",
  on_lost: '"fail" or "retry": what happens when the runner or the machine stops',
  priority: "-100 to 100; higher priorities start first",
  concurrency: 'on_conflict: "queue", "skip" or "replace"; tasks with the same key share the lowest limit',
  success_exit_codes: "the exit codes that count as success",
  output: "the maximum number of bytes to keep of each stream",
  expect_success_within: 'report the task as overdue after this long without a success, such as "26h", or null',
  retention: "finished runs beyond these limits are deleted",
  labels: "names and values",
};

type Definition = Readonly<Record<string, unknown>>;

function definitionOf(task: Task): Definition {
  const { name, group_name: group } = task;
  const members = Object.entries(task).filter(([member]) => !omitted.has(member));
  return { name, group, ...Object.fromEntries(members) };
}

/** The definition of a task as JSON, with a comment above each member that needs one. */
export function writeTaskText(task: Task): string {
  return writeDefinition(task, definitionOf(task));
}

function writeDefinition(task: Task, definition: Definition): string {
  const members = Object.entries(definition).map(([member, value]) => {
    const comment = comments[member];
    const json = JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");
    return `${comment === undefined ? "" : `  // ${comment}\n`}  ${JSON.stringify(member)}: ${json}`;
  });
  return `// Task ${JSON.stringify(task.name)}. Save to apply what you have changed; save an empty file to change nothing.
// A member that you remove stays unchanged. Durations are written as "90s", "1h30m" or "2 hours".
// Environment variables and standard input are secret: change them with belfry task edit --env, --env-from and --stdin.
{
${members.join(",\n")}
}
`;
}

/** A change of a task, with the name of its group instead of the id. */
export interface TaskChange {
  readonly patch: TaskPatch;
  readonly group: string | null | undefined;
}

/**
 * Reads what differs from the task. Throws a SyntaxError for text that is not JSON with comments, and a Failure for what
 * the daemon would refuse in words of the API.
 */
export function readTaskText(text: string, task: Task): TaskChange {
  const before = definitionOf(task);
  const after = withKept(before, parse(text));
  refuseOtherMembers(after, before);
  const { group, labels, ...patch } = differences(before, after);
  if (group !== undefined && group !== null && typeof group !== "string")
    throw usage("group must be the name of a group, or null");
  return {
    group,
    // the daemon checks the members
    patch: { ...patch, ...(labels === undefined ? {} : { labels: withRemoved(labels, task.labels) }) } as TaskPatch,
  };
}

const secretOptions = "it is secret. Change it with belfry task edit and the options that the first lines name";

/** What people write who know the API. */
const otherMembers: Readonly<Record<string, string>> = {
  group_id: "give the name of the group as group",
  environment: secretOptions,
  environment_names: secretOptions,
  standard_input: secretOptions,
  has_standard_input: secretOptions,
};

function refuseOtherMembers(after: Definition, before: Definition): void {
  const other = Object.keys(after).find((member) => !Object.hasOwn(before, member) && !Object.hasOwn(comments, member));
  if (other === undefined) return;
  const what = Object.hasOwn(otherMembers, other)
    ? otherMembers[other]
    : `its members are ${Object.keys(before).join(", ")}`;
  throw usage(`${JSON.stringify(other)} is not a member of this text: ${what}`);
}

export interface MergedText {
  readonly text: string;
  /** The members that differ between the two tasks. */
  readonly theirs: readonly string[];
  /** Those that the text has changed too, with their values in the current task. */
  readonly both: readonly { readonly member: string; readonly value: string }[];
}

/** Puts the changes of a text into the current task, which somebody else has changed. */
export function mergeTaskText(text: string, former: Task, current: Task): MergedText {
  const before = definitionOf(former);
  const now = definitionOf(current);
  const own = differences(before, withKept(before, parse(text)));
  const theirs = Object.keys(differences(before, now));
  const isSame = (member: string): boolean => JSON.stringify(own[member]) === JSON.stringify(now[member]);
  return {
    text: writeDefinition(current, { ...now, ...own }),
    theirs,
    both: theirs
      .filter((member) => Object.hasOwn(own, member) && !isSame(member))
      .map((member) => ({ member, value: JSON.stringify(now[member]) })),
  };
}

/** The members whose own members stay unchanged where the text has removed them. The daemon would reset those. */
const nested: readonly string[] = ["retry", "concurrency", "output", "retention"];

function withKept(before: Definition, after: Definition): Definition {
  const entries = Object.entries(after).map(([member, value]) => {
    const former = before[member];
    return [member, nested.includes(member) && isObject(value) && isObject(former) ? { ...former, ...value } : value];
  });
  return Object.fromEntries(entries) as Definition;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function differences(before: Definition, after: Definition): Definition {
  return Object.fromEntries(
    Object.entries(after).filter(([member, value]) => JSON.stringify(value) !== JSON.stringify(before[member])),
  );
}

/** The members, and the members of members, that are durations. */
const durations: Readonly<Record<string, "required" | "nullable" | readonly string[]>> = {
  timeout: "nullable",
  kill_grace: "required",
  expect_success_within: "nullable",
  retry: ["delay", "max_delay"],
  retention: ["age"],
};

/** Makes durations in the other forms of the options, such as `1h30m`, those of the API. Throws a Failure for the rest. */
function withDurations(definition: Definition): Definition {
  const entries = Object.entries(definition).map(([member, value]) => {
    const known = Object.hasOwn(durations, member) ? durations[member] : undefined;
    if (known === "required" || (known === "nullable" && value !== null)) return [member, toDuration(value, member)];
    if (typeof known !== "object" || typeof value !== "object" || value === null) return [member, value];
    return [
      member,
      Object.fromEntries(
        Object.entries(value).map(([key, of]) => [key, known.includes(key) ? toDuration(of, `${member}.${key}`) : of]),
      ),
    ];
  });
  return Object.fromEntries(entries) as Definition;
}

function toDuration(value: unknown, member: string): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (parseDuration(text) !== null) return text;
  const ms = readDuration(text);
  if (ms === null) throw usage(explainDuration(text, member));
  return formatDuration(ms);
}

function parse(text: string): Definition {
  const value = parseCommentedJson(text);
  if (isObject(value)) return withDurations(value as Definition);
  throw new SyntaxError("the text must be one JSON object");
}

/** Labels merge by name, so a label that the user has removed is sent as null. */
function withRemoved(labels: unknown, before: Task["labels"]): unknown {
  if (typeof labels !== "object" || labels === null) return labels;
  const removed = Object.keys(before).filter((name) => !(name in labels));
  return { ...labels, ...Object.fromEntries(removed.map((name) => [name, null])) };
}

import type { Task, TaskPatch } from "@belfry/client";

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
  const members = Object.entries(definitionOf(task)).map(([member, value]) => {
    const comment = comments[member];
    const json = JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");
    return `${comment === undefined ? "" : `  // ${comment}\n`}  ${JSON.stringify(member)}: ${json}`;
  });
  return `// Task ${JSON.stringify(task.name)}. Save to apply what you have changed; save an empty file to change nothing.
// A member that you remove stays unchanged. Durations are a number with ms, s, m, h or d.
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

/** Reads what differs from the task. Throws a SyntaxError for text that is not JSON with comments. */
export function readTaskText(text: string, task: Task): TaskChange {
  const before = definitionOf(task);
  const after = parse(text);
  const changes = Object.entries(after).filter(
    ([member, value]) => JSON.stringify(value) !== JSON.stringify(before[member]),
  );
  const { group, labels, ...patch } = Object.fromEntries(changes);
  return {
    group: group as string | null | undefined,
    // the daemon checks the members
    patch: { ...patch, ...(labels === undefined ? {} : { labels: withRemoved(labels, task.labels) }) } as TaskPatch,
  };
}

function parse(text: string): Definition {
  // a string has no line breaks, so such a line is a comment
  const json = text
    .split("\n")
    .map((line) => (/^\s*\/\//.test(line) ? "" : line))
    .join("\n");
  const value: unknown = JSON.parse(json);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Definition;
  throw new SyntaxError("the text must be one JSON object");
}

/** Labels merge by name, so a label that the user has removed is sent as null. */
function withRemoved(labels: unknown, before: Task["labels"]): unknown {
  if (typeof labels !== "object" || labels === null) return labels;
  const removed = Object.keys(before).filter((name) => !(name in labels));
  return { ...labels, ...Object.fromEntries(removed.map((name) => [name, null])) };
}

import type { Task } from "@belfry/client";
import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { taskMembers, nestedTaskMembers } from "../../definitions/task-members.ts";
import { warnOfStart } from "../../definitions/start-warning.ts";
import { taskChanges } from "../../definitions/task-options.ts";
import { usage } from "../../failure.ts";
import { findGroupOfTask } from "../../find/group.ts";
import { findTask } from "../../find/task.ts";
import { editorOf } from "../../input/editor.ts";
import { refuseSameName } from "../../input/refuse-same-name.ts";
import { requireChange } from "../../input/require-change.ts";
import { clearable, text, texts } from "../../options.ts";
import { editInEditor } from "./edit-in-editor.ts";

export const command = defineCommand({
  arguments: [argument.task],
  takesProgram: true,
  options: {
    name: text("--name <name>", "new name"),
    group: clearable(text("--group <group>", "new group"), "remove the task from its group"),
    ...taskChanges,
    unsetEnv: texts("--unset-env <name>", "remove a variable"),
    unlabel: texts("--unlabel <key>", "remove a label"),
  },
  details:
    "Without options, the definition opens in the editor that VISUAL or EDITOR names. What you change is applied when you save and quit. If someone else has changed the task meanwhile, the editor opens again with both changes. If the daemon rejects the text, the editor opens again with the error on top; saving the same text again gives up, and keeps the text in a file. Options that are not given stay unchanged. To change when the task runs, use: belfry schedule edit",
  examples: [
    ['belfry task edit "Nightly backup"', "edit the definition in your editor"],
    ['belfry task edit "Nightly backup" --timeout 2h --retries 2', "set a timeout and two retries"],
    ['belfry task edit "Nightly backup" -- backup --all --verbose', "change the command"],
    ["TOKEN=... belfry task edit Deploy --env TOKEN --unset-env OLD_TOKEN", "replace one variable with another"],
    ["belfry task edit Deploy --no-timeout --no-group", "remove the timeout, and remove the task from its group"],
  ],
  run: async ({ connect, connectLocal, args: [name], options, program, host, out }) => {
    const members = await taskMembers(options, program, host);
    refuseSameName({ set: ["--env", members.environment], removed: ["--unset-env", options.unsetEnv] });
    refuseSameName({ set: ["--label", members.labels], removed: ["--unlabel", options.unlabel] });
    const nested = nestedTaskMembers(options);
    const client = await connect();
    const task = await findTask(client, name);
    if (nested.retry.delay !== undefined) requireRetries(task, { retry: nested.retry, onLost: members.on_lost });
    const patch = {
      ...members,
      ...withoutUndefined({
        name: options.name,
        group_id: typeof options.group === "string" ? (await findGroupOfTask(client, options.group)).id : options.group,
      }),
      // the daemon replaces a nested object as a whole, so its other members are sent back unchanged
      ...(Object.keys(nested.retry).length === 0 ? {} : { retry: { ...task.retry, ...nested.retry } }),
      ...(Object.keys(nested.concurrency).length === 0
        ? {}
        : { concurrency: { ...task.concurrency, ...nested.concurrency } }),
      ...(Object.keys(nested.retention).length === 0 ? {} : { retention: { ...task.retention, ...nested.retention } }),
      ...withRemovals("environment", members.environment, options.unsetEnv),
      ...withRemovals("labels", members.labels, options.unlabel),
    };
    const editor = Object.keys(patch).length === 0 ? editorOf(host) : null;
    if (editor === null) requireChange(patch, "task");
    const changed =
      editor === null
        ? await client.tasks.update(task.id, patch, { ifMatch: task.revision })
        : await editInEditor({ client, task, editor, host, out });
    if (changed === null) return out.note("Nothing was changed");
    const warning =
      startsElsewhere(task, changed) && (await connectLocal()) !== null ? await warnOfStart(changed, host) : null;
    if (warning !== null) out.note(warning);
    out.answer(changed, () =>
      changed.revision === task.revision
        ? `Task ${JSON.stringify(changed.name)} already has these settings`
        : `Changed task ${JSON.stringify(changed.name)}`,
    );
  },
});

/** A delay before retries would do nothing. */
function requireRetries(
  task: Task,
  {
    retry,
    onLost,
  }: { readonly retry: { readonly max_attempts?: number }; readonly onLost: Task["on_lost"] | undefined },
): void {
  if ((retry.max_attempts ?? task.retry.max_attempts) > 1 || (onLost ?? task.on_lost) === "retry") return;
  throw usage(
    `--retry-delay requires --retries or --on-lost retry, because task ${JSON.stringify(task.name)} is not retried`,
  );
}

/** Whether another program starts, or in another directory. */
function startsElsewhere(before: Task, after: Task): boolean {
  const startOf = (task: Task) => JSON.stringify([task.command, task.working_directory, task.run_as]);
  return startOf(before) !== startOf(after);
}

/** `environment` and `labels` merge by name; null removes an entry. */
function withRemovals<K extends string>(
  member: K,
  set: Record<string, string> | undefined,
  unset: readonly string[] | undefined,
) {
  if (unset === undefined) return {};
  const removals = Object.fromEntries(unset.map((name) => [name, null]));
  return { [member]: { ...removals, ...set } } as Record<K, Record<string, string | null>>;
}

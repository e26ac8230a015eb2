import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { taskMembers, taskParts } from "../../definitions/task-members.ts";
import { taskChanges } from "../../definitions/task-options.ts";
import { findGroup } from "../../find/group.ts";
import { findTask } from "../../find/task.ts";
import { requireChange } from "../../input/require-change.ts";
import { clearable, text, texts } from "../../options.ts";

export const command = defineCommand({
  arguments: [argument.task],
  takesProgram: true,
  options: {
    name: text("--name <name>", "a new name"),
    group: clearable(text("--group <group>", "the group it belongs to")),
    ...taskChanges,
    unsetEnv: texts("--unset-env <name>", "take a variable away"),
    unlabel: texts("--unlabel <key>", "take a label away"),
  },
  details: "What is not named stays as it is. Its times are changed with `belfry schedule edit`.",
  examples: [
    ['belfry task edit "Nightly backup" --timeout 2h --retries 2', "bound it, and try again"],
    ['belfry task edit "Nightly backup" -- backup --all --verbose', "another command"],
    ["TOKEN=... belfry task edit Deploy --env TOKEN --unset-env OLD_TOKEN", "another secret"],
    ["belfry task edit Deploy --no-timeout --no-group", "take members away"],
  ],
  run: async ({ connect, args: [name], options, program, host, out }) => {
    const members = await taskMembers(options, program, host);
    const parts = taskParts(options);
    const client = await connect();
    const task = await findTask(client, name);
    const patch = {
      ...members,
      ...withoutUndefined({
        name: options.name,
        group_id: typeof options.group === "string" ? (await findGroup(client, options.group)).id : options.group,
      }),
      // the daemon replaces a nested object whole, so what was not named goes back as it is
      ...(Object.keys(parts.retry).length === 0 ? {} : { retry: { ...task.retry, ...parts.retry } }),
      ...(Object.keys(parts.concurrency).length === 0
        ? {}
        : { concurrency: { ...task.concurrency, ...parts.concurrency } }),
      ...(Object.keys(parts.retention).length === 0 ? {} : { retention: { ...task.retention, ...parts.retention } }),
      ...withRemovals("environment", members.environment, options.unsetEnv),
      ...withRemovals("labels", members.labels, options.unlabel),
    };
    requireChange(patch, "task");
    const changed = await client.tasks.update(task.id, patch, { ifMatch: task.revision });
    out.answer(changed, () =>
      changed.revision === task.revision
        ? `Nothing to change: ${JSON.stringify(changed.name)} was so already`
        : `Changed the task ${JSON.stringify(changed.name)}`,
    );
  },
});

/** `environment` and `labels` merge by name; null takes one away. */
function withRemovals<K extends string>(
  member: K,
  set: Record<string, string> | undefined,
  unset: readonly string[] | undefined,
) {
  if (unset === undefined) return {};
  const removals = Object.fromEntries(unset.map((name) => [name, null]));
  return { [member]: { ...removals, ...set } } as Record<K, Record<string, string | null>>;
}

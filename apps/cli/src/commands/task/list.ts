import type { AnyClient } from "../../any-client.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findGroup } from "../../find/group.ts";
import { labelFilter } from "../../input/labels.ts";
import { flag, text } from "../../options.ts";
import { taskColumns } from "../../views/task.ts";

export const command = defineCommand({
  options: {
    group: text("--group <group>", "only tasks directly in this group"),
    label: text("--label <key[=value]>", "only tasks with this label"),
    name: text("--name <part>", "only names that contain this text"),
    enabled: flag("--enabled", "only enabled tasks"),
    disabled: flag("--disabled", "only disabled tasks"),
  },
  examples: [
    ["belfry task list", "list all tasks"],
    ["belfry task list --group Backups --disabled", "list the disabled tasks of a group"],
    ["belfry task list --label team=web --json", "print the tasks with a label as JSON"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const query = withoutUndefined({
      group_id: options.group === undefined ? undefined : (await findGroup(client, options.group)).id,
      label: options.label === undefined ? undefined : labelFilter(options.label),
      q: options.name,
      enabled: options.enabled === options.disabled ? undefined : options.enabled === true,
    });
    const [page, next] = await Promise.all([
      client.tasks.list({ ...query, limit: 1000 }),
      out.json ? new Map() : nextRuns(client),
    ]);
    const empty =
      Object.keys(query).length === 0
        ? 'No tasks yet. Add one with: belfry task add "Nightly backup" --cron "0 3 * * *" -- backup --all'
        : "No tasks match";
    await out.list(page, { plural: "tasks", isWhole: true, columns: taskColumns(next), empty });
  },
});

/** The next run of each task, over all its schedules. */
async function nextRuns(client: AnyClient): Promise<ReadonlyMap<string, string>> {
  const soonest = new Map<string, string>();
  for await (const { task_id, next_run_at } of client.schedules.list({ limit: 1000 })) {
    const known = soonest.get(task_id);
    if (next_run_at !== null && (known === undefined || next_run_at < known)) soonest.set(task_id, next_run_at);
  }
  return soonest;
}

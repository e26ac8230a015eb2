import type { Client } from "@belfry/client";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findGroup } from "../../find/group.ts";
import { labelFilter } from "../../input/labels.ts";
import { flag, text } from "../../options.ts";
import { taskColumns } from "../../views/task.ts";

export const command = defineCommand({
  options: {
    group: text("--group <group>", "tasks directly in this group"),
    label: text("--label <key[=value]>", "with this label"),
    name: text("--name <part>", "with this in the name"),
    enabled: flag("--enabled", "enabled ones"),
    disabled: flag("--disabled", "disabled ones"),
  },
  examples: [
    ["belfry task list", "all tasks"],
    ["belfry task list --group Backups --disabled", "what is switched off in a group"],
    ["belfry task list --label team=web --json", "for a program"],
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
        ? 'No tasks yet. Add one: belfry task add "Nightly backup" --cron "0 3 * * *" -- backup --all'
        : "No such tasks";
    await out.list(page, { plural: "tasks", isWhole: true, columns: taskColumns(next), empty });
  },
});

/** The soonest instant of each task, over its schedules. */
async function nextRuns(client: Client): Promise<ReadonlyMap<string, string>> {
  const soonest = new Map<string, string>();
  for await (const { task_id, next_run_at } of client.schedules.list({ limit: 1000 })) {
    const known = soonest.get(task_id);
    if (next_run_at !== null && (known === undefined || next_run_at < known)) soonest.set(task_id, next_run_at);
  }
  return soonest;
}

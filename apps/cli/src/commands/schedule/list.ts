import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findGroup } from "../../find/group.ts";
import { findTask } from "../../find/task.ts";
import { taskRef, disambiguateTasks } from "../../find/task-names.ts";
import { labelFilter } from "../../input/labels.ts";
import { flag, text } from "../../options.ts";
import { scheduleColumns } from "../../views/schedule.ts";

export const command = defineCommand({
  options: {
    task: text("--task <task>", "of this task"),
    group: text("--group <group>", "of tasks directly in this group"),
    label: text("--label <key[=value]>", "of tasks with this label"),
    name: text("--name <part>", "with this in the name"),
    enabled: flag("--enabled", "enabled ones"),
    disabled: flag("--disabled", "disabled ones"),
  },
  examples: [
    ["belfry schedule list", "all schedules"],
    ['belfry schedule list --task "Nightly backup"', "of one task"],
    ["belfry schedule list --label team=web --disabled", "what is switched off for a team"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const query = withoutUndefined({
      task_id: options.task === undefined ? undefined : (await findTask(client, options.task)).id,
      group_id: options.group === undefined ? undefined : (await findGroup(client, options.group)).id,
      label: options.label === undefined ? undefined : labelFilter(options.label),
      q: options.name,
      enabled: options.enabled === options.disabled ? undefined : options.enabled === true,
    });
    const page = await client.schedules.list({ ...query, limit: 1000 });
    const empty =
      Object.keys(query).length === 0
        ? 'No schedules. Add one: belfry schedule add "Nightly backup" --cron "0 3 * * *"'
        : "No such schedules";
    await out.list(page, {
      plural: "schedules",
      isWhole: true,
      columns: async (schedules) => scheduleColumns(await disambiguateTasks(client, schedules.map(taskRef), out)),
      empty,
    });
  },
});

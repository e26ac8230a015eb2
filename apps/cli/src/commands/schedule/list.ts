import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findGroup } from "../../find/group.ts";
import { findTask } from "../../find/task.ts";
import { taskRef, disambiguateTasks } from "../../find/task-names.ts";
import { labelFilter } from "../../input/labels.ts";
import { enabledFilter } from "../../input/enabled-filter.ts";
import { flag, text } from "../../options.ts";
import { scheduleColumns } from "../../views/schedule.ts";

export const command = defineCommand({
  options: {
    task: text("--task <task>", "only schedules of this task"),
    group: text("--group <group>", "only schedules of tasks directly in this group"),
    label: text("--label <key[=value]>", "only schedules of tasks with this label"),
    name: text("--name <part>", "only names that contain this text"),
    enabled: flag("--enabled", "only enabled schedules"),
    disabled: flag("--disabled", "only disabled schedules"),
  },
  examples: [
    ["belfry schedule list", "list all schedules"],
    ['belfry schedule list --task "Nightly backup"', "list the schedules of one task"],
    ["belfry schedule list --label team=web --disabled", "list the disabled schedules of a team"],
  ],
  run: async ({ connect, options, host, out }) => {
    const client = await connect();
    const query = withoutUndefined({
      task_id: options.task === undefined ? undefined : (await findTask(client, options.task)).id,
      group_id: options.group === undefined ? undefined : (await findGroup(client, options.group)).id,
      label: options.label === undefined ? undefined : labelFilter(options.label),
      q: options.name,
      enabled: enabledFilter(options),
    });
    const page = await client.schedules.list({ ...query, limit: 1000 });
    const empty =
      Object.keys(query).length === 0
        ? 'No schedules yet. Add one with: belfry schedule add "Nightly backup" --cron "0 3 * * *"'
        : "No schedules match";
    await out.list(page, {
      plural: "schedules",
      isWhole: true,
      columns: async (schedules) =>
        scheduleColumns(await disambiguateTasks(client, schedules.map(taskRef), out), host.now()),
      empty,
    });
  },
});

import { defineCommand } from "../../command.ts";
import { defined } from "../../defined.ts";
import { findGroup } from "../../find/group.ts";
import { findTask } from "../../find/task.ts";
import { flag, text } from "../../options.ts";
import { scheduleColumns } from "../../views/schedule.ts";

export const command = defineCommand({
  options: {
    task: text("--task <task>", "of this task"),
    group: text("--group <group>", "of tasks directly in this group"),
    enabled: flag("--enabled", "enabled ones"),
    disabled: flag("--disabled", "disabled ones"),
  },
  examples: [
    ["belfry schedule list", "all schedules"],
    ['belfry schedule list --task "Nightly backup"', "of one task"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const query = defined({
      task_id: options.task === undefined ? undefined : (await findTask(client, options.task)).id,
      group_id: options.group === undefined ? undefined : (await findGroup(client, options.group)).id,
      enabled: options.enabled === options.disabled ? undefined : options.enabled === true,
    });
    const page = await client.schedules.list({ ...query, limit: 1000 });
    const empty = 'No schedules. Add one: belfry schedule add "Nightly backup" --cron "0 3 * * *"';
    await out.list(page, { plural: "schedules", isWhole: true, columns: scheduleColumns, empty });
  },
});

import { defineCommand } from "../../command.ts";
import { emptyOfLocal } from "../../output/empty-list.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findTaskId } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { enabledFilter } from "../../input/enabled-filter.ts";
import { flag, text } from "../../options.ts";
import { taskOf } from "../../views/trigger.ts";
import { watcherColumns } from "../../views/watcher.ts";

export const command = defineCommand({
  options: {
    task: text("--task <task>", "only watchers that run this task (use the id for a deleted task)"),
    name: text("--name <part>", "only names that contain this text"),
    enabled: flag("--enabled", "only enabled watchers"),
    disabled: flag("--disabled", "only disabled watchers"),
  },
  examples: [
    ["belfry watcher list", "list all watchers and their states"],
    ["belfry watcher list --task Load", "list the watchers of one task"],
  ],
  run: async ({ connect, options, out, profile }) => {
    const client = await connect();
    const query = withoutUndefined({
      target_task_id: options.task === undefined ? undefined : await findTaskId(client, options.task),
      q: options.name,
      enabled: enabledFilter(options),
    });
    await out.list(await client.watchers.list(query), {
      plural: "filesystem_watchers",
      isWhole: true,
      columns: async (watchers) => watcherColumns(await disambiguateTasks(client, watchers.map(taskOf), out)),
      empty:
        Object.keys(query).length === 0
          ? emptyOfLocal("watchers", "belfry watcher add Inbox --task Load --directory /srv/inbox", profile())
          : "No watchers match",
    });
  },
});

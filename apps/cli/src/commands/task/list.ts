import type { Schedule, Task } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { usage } from "../../failure.ts";
import { findGroup } from "../../find/group.ts";
import { type ReleaseOf, readReleases } from "../../find/held-tasks.ts";
import { listHolds } from "../../find/hold.ts";
import { enabledFilter } from "../../input/enabled-filter.ts";
import { labelFilter } from "../../input/labels.ts";
import { flag, oneOrMoreOf, text } from "../../options.ts";
import type { Column } from "../../output/table.ts";
import { defaultColumnNames, namedTaskColumns, taskColumnNames } from "../../views/task-columns.ts";
import type { TaskRow } from "../../views/task-glance.ts";

export const command = defineCommand({
  options: {
    group: text("--group <group>", "only tasks directly in this group"),
    ungrouped: flag("--ungrouped", "only tasks in no group"),
    label: text("--label <key[=value]>", "only tasks with this label"),
    name: text("--name <part>", "only names that contain this text"),
    enabled: flag("--enabled", "only enabled tasks"),
    disabled: flag("--disabled", "only disabled tasks"),
    overdue: flag("--overdue", "only tasks whose success is overdue"),
    wide: flag("-w, --wide", "show all columns, also ids and exact times"),
    columns: oneOrMoreOf("--columns <names>", "show these columns, in this order", taskColumnNames),
  },
  details:
    "LAST RESULT is the result of the newest finished run and its age. STATE shows the most important fact: whether the task cannot start, is running, has only paused or disabled schedules, has failed since its last success (and how often), or is overdue.",
  examples: [
    ["belfry task list", "list all tasks"],
    ["belfry task list --group Backups --disabled", "list the disabled tasks of a group"],
    ["belfry task list --columns name,state,id", "choose the columns"],
    ["belfry task list --label team=web --json", "print the tasks with a label as JSON"],
  ],
  run: async ({ connect, options, host, out }) => {
    const layout = options.columns === undefined ? options.wide && "--wide" : "--columns";
    if (options.columns !== undefined && options.wide === true)
      throw usage("--columns and --wide cannot be combined. Use one of them");
    if (out.json && layout) throw usage(`${layout} cannot be combined with --json, which prints every member`);
    if (options.group !== undefined && options.ungrouped === true)
      throw usage("--group and --ungrouped cannot be combined. Use one of them");
    const client = await connect();
    const query = withoutUndefined({
      group_id: options.group === undefined ? undefined : (await findGroup(client, options.group)).id,
      grouped: options.ungrouped === true ? false : undefined,
      label: options.label === undefined ? undefined : labelFilter(options.label),
      q: options.name,
      enabled: enabledFilter(options),
      overdue: options.overdue === true ? true : undefined,
    });
    const [page, schedules, releaseOf] = await Promise.all([
      client.tasks.list({ ...query, limit: 1000 }),
      out.json ? new Map<string, readonly Schedule[]>() : schedulesByTask(client),
      out.json ? neverHeld : listHolds(client).then((holds) => readReleases(client, holds)),
    ]);
    const empty =
      Object.keys(query).length === 0
        ? 'No tasks yet. Add one with: belfry task add "Nightly backup" --cron "0 3 * * *" -- backup --all'
        : "No tasks match";
    const columnsOf = (tasks: readonly Task[]): readonly Column<Task>[] => {
      const rowOf = (task: Task): TaskRow => ({
        task,
        schedules: schedules.get(task.id) ?? [],
        release: releaseOf(task.group_id),
      });
      const named = namedTaskColumns(host.now());
      const names = options.columns ?? defaultColumnNames(tasks.map(rowOf), options.wide === true);
      return names.map((name) => forTask(named[name], rowOf));
    };
    await out.list(page, {
      plural: "tasks",
      isWhole: true,
      order: byAge,
      columns: async (tasks) => columnsOf(tasks),
      empty,
    });
  },
});

const neverHeld: ReleaseOf = () => undefined;

/** The newest first. Tasks that were added together, such as those of a crontab, are in the order of their names. */
function byAge(one: Task, other: Task): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  return one.name.localeCompare(other.name);
}

function forTask(column: Column<TaskRow>, rowOf: (task: Task) => TaskRow): Column<Task> {
  const { text: textOf, color, ...rest } = column;
  return {
    ...rest,
    text: (task) => textOf(rowOf(task)),
    ...(color === undefined ? {} : { color: (task) => color(rowOf(task)) }),
  };
}

async function schedulesByTask(client: AnyClient): Promise<ReadonlyMap<string, readonly Schedule[]>> {
  const byTask = new Map<string, Schedule[]>();
  for await (const schedule of client.schedules.list({ limit: 1000 }))
    byTask.set(schedule.task_id, [...(byTask.get(schedule.task_id) ?? []), schedule]);
  return byTask;
}

import type { FilesystemWatcherCreate } from "@belfry/client";
import { defineLocalCommand } from "../../command.ts";
import {
  readWatched,
  refuseForFile,
  selectionOptions,
  timingOptions,
  watchedOptions,
} from "../../definitions/watcher-options.ts";
import { usage } from "../../failure.ts";
import { findTask } from "../../find/task.ts";
import { flag, text } from "../../options.ts";
import { healthText, watchedText } from "../../views/watcher.ts";
import { waitForHealth } from "../../watchers/wait-for-health.ts";
import { withoutUndefined } from "../../without-undefined.ts";

export const command = defineLocalCommand({
  arguments: [{ name: "name", summary: "name of the watcher" }],
  options: {
    task: text("--task <task>", "task that the watcher runs: name, group/name or id (required)"),
    ...watchedOptions,
    ...selectionOptions,
    ...timingOptions,
    disabled: flag("--disabled", "add the watcher disabled"),
  },
  details:
    "Runs the task when files change. Files that exist when you add the watcher do not start a run. Give either --directory or --file; a relative path starts at the current directory.",
  examples: [
    [
      'belfry watcher add Inbox --task Load --directory /srv/inbox --pattern "*.csv"',
      "run Load when CSV files are added or changed",
    ],
    ["belfry watcher add Config --task Reload --file /etc/app.toml", "run Reload when one file changes"],
    [
      "belfry watcher add Docs --task Build --directory docs --recursive --debounce 2s",
      "run Build when files below docs change, with a debounce of two seconds",
    ],
  ],
  run: async ({ connect, args: [name], options, out }) => {
    const watched = readWatched(options);
    if (options.task === undefined) throw usage("missing --task: give the task that the watcher runs");
    if (watched === null) throw usage("missing path: give --directory <path> or --file <path>");
    const { pattern, recursive } = options;
    if (watched.kind === "file") refuseForFile({ pattern, recursive });
    const client = await connect();
    const members = {
      name,
      ...watched,
      target_task_id: (await findTask(client, options.task)).id,
      enabled: options.disabled !== true,
      ...withoutUndefined({
        pattern,
        recursive,
        debounce: options.debounce,
        stability: options.stability,
        max_wait: options.maxWait,
        on_start: options.onStart,
      }),
    };
    // safe because members for directories only are refused for a file
    const made = await waitForHealth(client, await client.watchers.create(members as FilesystemWatcherCreate));
    out.answer(
      made,
      () =>
        `Added watcher ${JSON.stringify(made.name)} (${made.id})\nWatches ${watchedText(made)}\nHealth: ${healthText(made.health)}`,
    );
  },
});

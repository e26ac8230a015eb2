import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import {
  readWatched,
  refuseForFile,
  selectionOptions,
  timingOptions,
  watchedOptions,
} from "../../definitions/watcher-options.ts";
import { findTask } from "../../find/task.ts";
import { findWatcher } from "../../find/watcher.ts";
import { requireChange } from "../../input/require-change.ts";
import { clearable, forChange, text } from "../../options.ts";
import { withoutUndefined } from "../../without-undefined.ts";

const { pattern, recursive } = forChange(selectionOptions);

export const command = defineLocalCommand({
  arguments: [argument.watcher],
  options: {
    name: text("--name <name>", "new name"),
    task: text("--task <task>", "new task"),
    ...watchedOptions,
    pattern: clearable(pattern, "reset the pattern to *"),
    recursive: clearable(recursive, "watch only the directory itself"),
    ...forChange(timingOptions),
  },
  details:
    "Options that are not given stay unchanged, except that --file clears --pattern and --recursive. If you change which files are watched, the watcher drops file changes for which no run has been requested yet.",
  examples: [
    ['belfry watcher edit Inbox --pattern "*.{csv,json}"', "watch for JSON files too"],
    [
      "belfry watcher edit Inbox --directory /srv/inbox2 --recursive",
      "watch another directory, and the directories below it",
    ],
  ],
  run: async ({ connect, args: [typed], options, out }) => {
    const watched = readWatched(options);
    if (watched?.kind === "file") refuseForFile({ pattern: options.pattern, recursive: options.recursive });
    const selection =
      watched?.kind === "file"
        ? { ...watched, pattern: null, recursive: false }
        : {
            ...watched,
            pattern: options.pattern,
            recursive: options.recursive === undefined ? undefined : options.recursive === true,
          };
    const own = withoutUndefined({
      name: options.name,
      ...selection,
      debounce: options.debounce,
      stability: options.stability,
      max_wait: options.maxWait,
      on_start: options.onStart,
    });
    requireChange({ ...own, ...withoutUndefined({ task: options.task }) }, "watcher");
    const client = await connect();
    const watcher = await findWatcher(client, typed);
    const target = options.task === undefined ? {} : { target_task_id: (await findTask(client, options.task)).id };
    const changed = await client.watchers.update(watcher.id, { ...own, ...target }, { ifMatch: watcher.revision });
    out.answer(changed, () => `Changed watcher ${JSON.stringify(changed.name)}`);
  },
});

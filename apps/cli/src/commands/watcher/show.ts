import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findWatcher } from "../../find/watcher.ts";
import { flag } from "../../options.ts";
import { renderDetails } from "../../output/details.ts";
import { watcherDetails } from "../../views/watcher.ts";
import { followHealth } from "../../watchers/follow-health.ts";

export const command = defineCommand({
  arguments: [argument.watcher],
  options: { watch: flag("-w, --watch", "print each change of the watcher's health, until Ctrl-C") },
  examples: [
    ["belfry watcher show Inbox", "show a watcher and its health"],
    ["belfry watcher show Inbox --watch", "follow the health of a watcher"],
  ],
  run: async ({ connect, args: [typed], options, host, out }) => {
    const client = await connect();
    const watcher = await findWatcher(client, typed);
    if (options.watch === true) return followHealth(client, watcher.id, { host, out });
    out.answer(watcher, () => renderDetails(watcherDetails(watcher)));
  },
});

import { completionCommand } from "./completion/scripts.ts";
import { access } from "./command-list/access.ts";
import { administration } from "./command-list/administration.ts";
import type { CommandEntry, CommandFamily } from "./command-list/entry.ts";
import { history } from "./command-list/history.ts";
import { notifications } from "./command-list/notifications.ts";
import { remoteDaemons } from "./command-list/remote-daemons.ts";
import { shortcuts } from "./command-list/shortcuts.ts";
import { tasks } from "./command-list/tasks.ts";
import { triggersAndChains } from "./command-list/triggers-and-chains.ts";
import { watchers } from "./command-list/watchers.ts";

export type { CommandEntry, CommandFamily } from "./command-list/entry.ts";

/** Every command, in the order of the help. `belfry --help` needs only this list and loads no command. */
export const commandList: readonly (CommandFamily | CommandEntry)[] = [
  {
    name: "daemon",
    summary: "run, inspect and stop the daemon",
    subcommands: [
      {
        name: "run",
        summary: "run the daemon in the foreground",
        load: () => import("./commands/daemon/run.ts"),
      },
      {
        name: "status",
        summary: "show whether the daemon is running, and its paths",
        load: () => import("./commands/daemon/status.ts"),
      },
      {
        name: "stop",
        summary: "stop the daemon; by default running tasks continue",
        load: () => import("./commands/daemon/stop.ts"),
      },
    ],
  },
  ...tasks,
  ...triggersAndChains,
  watchers,
  ...history,
  ...notifications,
  ...access,
  ...remoteDaemons,
  ...administration,
  {
    name: completionCommand,
    summary: "list completions of a command line",
    isHidden: true,
    load: async () => ({ command: (await import("./commands/complete.ts")).completing(commandList) }),
  },
  ...shortcuts,
];

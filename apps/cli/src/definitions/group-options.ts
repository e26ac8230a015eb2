import { limits } from "@belfry/contract";
import { clearable, integer, text, texts } from "../options.ts";

/** What can be said of a group when it is added or changed. */
export const groupOptions = {
  parent: text("--parent <group>", "the group it lies in"),
  limit: integer("--limit <n>", "runs at once of all tasks below it", { min: 1, max: limits.concurrencyMax }),
  tz: text("--tz <zone>", "the zone of its schedules, unless they name one"),
  env: texts("--env <name>", "a variable for its tasks, copied from your environment"),
  envFile: text("--env-file <file>", "variables from a file of NAME=value lines; - is standard input"),
  description: text("--description <text>", "what it is for"),
} as const;

/** The same for a change, which can also take members away. */
export const groupChanges = {
  ...groupOptions,
  parent: clearable(groupOptions.parent),
  limit: clearable(groupOptions.limit),
  tz: clearable(groupOptions.tz),
  description: clearable(groupOptions.description),
} as const;

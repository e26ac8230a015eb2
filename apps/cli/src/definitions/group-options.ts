import { limits } from "@belfry/contract";
import { clearable, forChange, integer, text, texts } from "../options.ts";
import { envFrom } from "./env-from.ts";

/** Options of a group, when it is added or changed. */
export const groupOptions = {
  parent: text("--parent <group>", "parent group (default none)"),
  limit: integer("--limit <n>", "maximum concurrent runs of all tasks in this group and its subgroups (default none)", {
    min: 1,
    max: limits.concurrencyMax,
  }),
  tz: text(
    "--tz <zone>",
    "time zone for schedules of the group's tasks, for example Europe/Berlin (default: the parent group's, or the daemon's)",
  ),
  env: texts("--env <name>", "set a variable for the group's tasks, with its value from your environment"),
  envFrom,
  description: text("--description <text>", "description of the group"),
} as const;

/** The same for a change, with options that clear a value. */
export const groupChanges = forChange({
  ...groupOptions,
  parent: clearable(groupOptions.parent, "move the group to the top level"),
  limit: clearable(groupOptions.limit, "remove the limit"),
  tz: clearable(groupOptions.tz, "clear the time zone"),
  description: clearable(groupOptions.description, "clear the description"),
});

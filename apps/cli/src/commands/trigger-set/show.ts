import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { renderDetails } from "../../output/details.ts";
import { memberColumns } from "../../views/trigger.ts";
import { triggerSetDetails } from "../../views/trigger-set.ts";

export const command = defineCommand({
  arguments: [argument.triggerSet],
  details: "This command does not show the keys. To print the keys, use: belfry trigger-set reveal",
  examples: [["belfry trigger-set show Agents", "show the set and its members"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const set = await findTriggerSet(client, typed);
    out.answer(set, () => `${renderDetails(triggerSetDetails(set))}\n${out.table(memberColumns, set.members)}`);
  },
});

import { pairingStates } from "../../choices.ts";
import { defineLocalCommand } from "../../command.ts";
import { oneOf } from "../../options.ts";
import { pairingColumns } from "../../views/pairing.ts";
import { withoutUndefined } from "../../without-undefined.ts";

export const command = defineLocalCommand({
  options: { state: oneOf("--state <state>", "only pairings in this state", { choices: pairingStates }) },
  details:
    "A pairing is burnt when its tries were used up by wrong phrases. One that has ended stays in the list for a day. The phrase is never shown again.",
  examples: [
    ["belfry pairing list", "list the pairings of the last day"],
    ["belfry pairing list --state open", "list the pairings that can be used now"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const page = await client.pairings.list(withoutUndefined({ state: options.state }));
    await out.list(page, { plural: "pairings", isWhole: true, columns: pairingColumns, empty: "No pairings match" });
  },
});

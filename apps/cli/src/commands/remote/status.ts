import { defineLocalCommand } from "../../command.ts";
import { renderDetails } from "../../output/details.ts";
import { remoteDetails } from "../../views/remote.ts";

export const command = defineLocalCommand({
  examples: [["belfry remote status", "show whether other machines can reach this daemon"]],
  run: async ({ connect, out }) => {
    const remote = await (await connect()).remote.get();
    out.answer(remote, () => renderDetails(remoteDetails(remote)));
  },
});

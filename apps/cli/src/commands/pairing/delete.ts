import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";

export const command = defineLocalCommand({
  arguments: [argument.pairing],
  details: "The phrase of the pairing stops working. A credential that was made with it stays valid.",
  examples: [["belfry pairing delete par_Wd5Kz8QmTx2Rv7JbNc4H", "withdraw an invitation"]],
  run: async ({ connect, args: [id], out }) => {
    const client = await connect();
    const pairing = await client.pairings.get(id);
    await client.pairings.delete(id);
    out.answer({ id }, () => `Deleted the pairing for ${JSON.stringify(pairing.name)} (${id})`);
  },
});

import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findChain } from "../../find/chain.ts";
import { renderDetails } from "../../output/details.ts";
import { chainDetails } from "../../views/chain.ts";

export const command = defineCommand({
  arguments: [argument.chain, argument.chainTarget],
  examples: [
    ["belfry chain show Load Report", "by its two tasks"],
    ["belfry chain show Load", "of a task that is in one chain"],
  ],
  run: async ({ connect, args: [typed, target], out }) => {
    const chain = await findChain(await connect(), typed, target);
    out.answer(chain, () => renderDetails(chainDetails(chain)));
  },
});

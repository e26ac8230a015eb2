import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findChain } from "../../find/chain.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { renderDetails } from "../../output/details.ts";
import { chainDetails, tasksIn } from "../../views/chain.ts";

export const command = defineCommand({
  arguments: [argument.chain, argument.chainTarget],
  examples: [
    ["belfry chain show Load Report", "show the chain from Load to Report"],
    ["belfry chain show Load", "show the only chain of a task"],
  ],
  run: async ({ connect, args: [typed, target], out }) => {
    const client = await connect();
    const chain = await findChain(client, typed, target);
    const nameOf = await disambiguateTasks(client, tasksIn([chain]), out);
    out.answer(chain, () => renderDetails(chainDetails(chain, nameOf)));
  },
});

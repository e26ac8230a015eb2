import type { Chain, Client } from "@belfry/client";
import { argument } from "../../arguments.ts";
import { defineCommand, type LoadedCommand } from "../../command.ts";
import { findChain } from "../../find/chain.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { chainText, tasksIn } from "../../views/chain.ts";

interface ChainAction {
  /** Answers the chain as it is now; nothing when it is gone. */
  readonly act: (client: Client, chain: Chain) => PromiseLike<Chain | void>;
  readonly done: string;
  readonly examples: readonly (readonly [string, string])[];
}

/** The commands that do one thing to one chain. */
export function defineChainAction({ act, done, examples }: ChainAction): LoadedCommand {
  return defineCommand({
    arguments: [argument.chain, argument.chainTarget],
    examples,
    run: async ({ connect, args: [typed, target], out }) => {
      const client = await connect();
      const before = await findChain(client, typed, target);
      const after = (await act(client, before)) ?? before;
      const isSame = after !== before && after.revision === before.revision;
      const nameOf = await disambiguateTasks(client, tasksIn([after]), out);
      out.answer(after, () => `${done} the chain ${chainText(after, nameOf)}${isSame ? " (it was so already)" : ""}`);
    },
  });
}

import type { Chain } from "@belfry/client";
import type { AnyClient } from "../../any-client.ts";
import { argument } from "../../arguments.ts";
import { defineCommand, type LoadedCommand } from "../../command.ts";
import { findChain } from "../../find/chain.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { chainText, tasksIn } from "../../views/chain.ts";

interface ChainAction {
  /** Returns the changed chain, or nothing if it was deleted. */
  readonly act: (client: AnyClient, chain: Chain) => PromiseLike<Chain | void>;
  /** `Enabled`. */
  readonly done: string;
  /** The state that leaves nothing to do: `already enabled`. */
  readonly unchanged?: string;
  readonly examples: readonly (readonly [string, string])[];
}

/** A command that performs one action on one chain. */
export function defineChainAction({ act, done, unchanged, examples }: ChainAction): LoadedCommand {
  return defineCommand({
    arguments: [argument.chain, argument.chainTarget],
    examples,
    run: async ({ connect, args: [typed, target], out }) => {
      const client = await connect();
      const before = await findChain(client, typed, target);
      const after = (await act(client, before)) ?? before;
      const isSame = unchanged !== undefined && after !== before && after.revision === before.revision;
      const text = chainText(after, await disambiguateTasks(client, tasksIn([after]), out));
      out.answer(after, () => (isSame ? `Chain ${text} is ${unchanged}` : `${done} chain ${text}`));
    },
  });
}

import { defineChainAction } from "./chain-action.ts";

export const command = defineChainAction({
  act: (client, chain) => client.chains.delete(chain.id),
  done: "Deleted",
  examples: [["belfry chain delete Load Report", "delete the chain; runs that it already queued are kept"]],
});

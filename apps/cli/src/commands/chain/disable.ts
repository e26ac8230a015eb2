import { defineChainAction } from "./chain-action.ts";

export const command = defineChainAction({
  act: (client, chain) => client.chains.update(chain.id, { enabled: false }),
  done: "Disabled",
  examples: [["belfry chain disable Load Report", "let Load end without Report"]],
});

import { defineChainAction } from "./chain-action.ts";

export const command = defineChainAction({
  act: (client, chain) => client.chains.update(chain.id, { enabled: false }),
  done: "Disabled",
  unchanged: "already disabled",
  examples: [["belfry chain disable Load Report", "stop running Report after Load"]],
});

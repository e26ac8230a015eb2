import { defineChainAction } from "./chain-action.ts";

export const command = defineChainAction({
  act: (client, chain) => client.chains.update(chain.id, { enabled: true }),
  done: "Enabled",
  unchanged: "already enabled",
  examples: [["belfry chain enable Load Report", "allow Load to start Report again"]],
});

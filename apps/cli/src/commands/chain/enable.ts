import { defineChainAction } from "./chain-action.ts";

export const command = defineChainAction({
  act: (client, chain) => client.chains.update(chain.id, { enabled: true }),
  done: "Enabled",
  examples: [["belfry chain enable Load Report", "let Report follow Load again"]],
});

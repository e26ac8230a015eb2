import { defineLocalCommand } from "../../command.ts";

export const command = defineLocalCommand({
  details:
    "Closes the port and all connections. Credentials and the certificate stay, so clients can continue once the remote API is enabled again.",
  examples: [["belfry remote disable", "stop serving other machines"]],
  run: async ({ connect, out }) => {
    const client = await connect();
    const before = await client.remote.get();
    const remote = await client.remote.disable();
    out.answer(remote, () => (before.enabled ? "Disabled the remote API" : "The remote API is already off"));
  },
});

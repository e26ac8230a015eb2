import { defineCommand } from "../../command.ts";

export const command = defineCommand({
  arguments: [{ name: "name", summary: "what to call the daemon" }],
  examples: [['belfry manifest rename "Build machine"', "as clients show it"]],
  run: async ({ connect, args: [name], out }) => {
    const client = await connect();
    const manifest = await client.manifest.update({ display_name: name });
    out.answer(manifest, () => `The daemon is now called ${JSON.stringify(manifest.display_name)}`);
  },
});

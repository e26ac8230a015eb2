import { defineLocalCommand } from "../../command.ts";

export const command = defineLocalCommand({
  arguments: [{ name: "name", summary: "display name of the daemon" }],
  examples: [['belfry manifest rename "Build machine"', "set the name that clients show"]],
  run: async ({ connect, args: [name], out }) => {
    const client = await connect();
    const manifest = await client.manifest.update({ display_name: name });
    out.answer(manifest, () => `The daemon is now called ${JSON.stringify(manifest.display_name)}`);
  },
});

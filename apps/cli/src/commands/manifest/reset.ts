import { defineCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { text } from "../../options.ts";

export const command = defineCommand({
  options: { confirm: text("--confirm <installation-id>", "the present identity, to show that you mean it") },
  details: "Whoever knew the daemon by its old identity must be told. Tasks, schedules and history stay.",
  examples: [["belfry manifest reset --confirm ins_4fzH1TqWb8YkV0c2LxNd", "after copying a machine"]],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    if (options.confirm === undefined) {
      const { installation_id } = await client.manifest.get();
      throw usage(
        "this gives the installation a new identity",
        `If you mean it: belfry manifest reset --confirm ${installation_id}`,
      );
    }
    const manifest = await client.manifest.reset(options.confirm);
    out.answer(manifest, () => `The installation is now ${manifest.installation_id}`);
  },
});

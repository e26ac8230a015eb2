import { defineLocalCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { text } from "../../options.ts";

export const command = defineLocalCommand({
  options: { confirm: text("--confirm <installation-id>", "current installation id, to confirm the reset") },
  details:
    "Programs that know the daemon by its old id must be updated. All credentials are revoked. Tasks, schedules and history stay.",
  examples: [
    ["belfry manifest reset --confirm ins_4fzH1TqWb8YkV0c2LxNd", "reset the identity after cloning a machine"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    if (options.confirm === undefined) {
      const { installation_id } = await client.manifest.get();
      throw usage(
        "missing --confirm: a reset gives the installation a new identity",
        `To confirm the reset, run: belfry manifest reset --confirm ${installation_id}`,
      );
    }
    const manifest = await client.manifest.reset(options.confirm);
    out.answer(manifest, () => `The new installation id is ${manifest.installation_id}`);
  },
});

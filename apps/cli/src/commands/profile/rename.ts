import { argument } from "../../arguments.ts";
import { defineStandaloneCommand } from "../../command.ts";
import { renameProfile } from "../../profiles/profile-store.ts";

export const command = defineStandaloneCommand({
  arguments: [argument.profile, { name: "new-name", summary: "new name of the profile" }],
  examples: [["belfry profile rename build build-old", "rename a profile"]],
  run: async ({ args: [from, to], host, out }) => {
    renameProfile(from, to, host);
    out.answer({ profile: to }, () => `Renamed profile ${JSON.stringify(from)} to ${JSON.stringify(to)}`);
  },
});

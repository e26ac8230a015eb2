import { argument } from "../../arguments.ts";
import { defineStandaloneCommand } from "../../command.ts";
import { renderDetails } from "../../output/details.ts";
import { readCurrent } from "../../profiles/profile-folder.ts";
import { readProfile } from "../../profiles/profile-store.ts";
import { profileDetails, showProfile } from "../../views/profile.ts";

export const command = defineStandaloneCommand({
  arguments: [argument.profile],
  details: "The access token is never shown.",
  examples: [["belfry profile show build", "show which daemon a profile is for, and how it recognizes the daemon"]],
  run: async ({ args: [name], host, out }) => {
    const profile = showProfile(await readProfile(name, host), readCurrent(host.environment));
    out.answer(profile, () => renderDetails(profileDetails(profile)));
  },
});

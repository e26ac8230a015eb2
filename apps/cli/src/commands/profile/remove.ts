import { argument } from "../../arguments.ts";
import { defineStandaloneCommand } from "../../command.ts";
import { asWritten } from "../../output/hints.ts";
import { removeProfile } from "../../profiles/profile-store.ts";

export const command = defineStandaloneCommand({
  arguments: [argument.profile],
  details:
    "Deletes the profile and its access token from this machine. The daemon still accepts the credential until somebody revokes it there.",
  examples: [["belfry profile remove build", "forget a daemon"]],
  run: async ({ args: [name], host, out }) => {
    const credentialId = await removeProfile(name, host);
    out.answer({ profile: name, credential_id: credentialId }, () => `Removed profile ${JSON.stringify(name)}`);
    out.note(
      asWritten(`On the daemon's machine, also revoke its credential with: belfry credential revoke ${credentialId}`),
    );
  },
});

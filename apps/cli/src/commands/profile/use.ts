import { defineCommand } from "../../command.ts";
import { localName } from "../../profiles/profile-name.ts";
import { useProfile } from "../../profiles/profile-store.ts";

export const command = defineCommand({
  arguments: [{ name: "profile", summary: "profile name, or local for the daemon on this machine" }],
  details:
    "Every command then calls the daemon of this profile. --profile, --socket, --data-dir and their environment variables override it.",
  examples: [
    ["belfry profile use build", "call the daemon of the profile build from now on"],
    ["belfry profile use local", "call the daemon on this machine again"],
  ],
  run: async ({ args: [name], host, out }) => {
    useProfile(name === localName ? null : name, host);
    out.answer({ profile: name }, () =>
      name === localName
        ? "Commands now call the daemon on this machine"
        : `Commands now call the daemon of profile ${JSON.stringify(name)}`,
    );
  },
});

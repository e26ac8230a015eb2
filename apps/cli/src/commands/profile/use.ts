import { defineStandaloneCommand } from "../../command.ts";
import { quoteForShell } from "../../output/hints.ts";
import { localName } from "../../profiles/profile-name.ts";
import { useProfile } from "../../profiles/profile-store.ts";

/** What decides before the profile in use does. */
const overridingNames = ["BELFRY_PROFILE", "BELFRY_SOCKET", "BELFRY_DATA_DIR"] as const;

export const command = defineStandaloneCommand({
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
    const overriding = overridingNames.filter((each) => (host.environment[each] ?? "") !== "");
    if (name !== localName && overriding.length > 0)
      out.note(
        `Warning: the environment variable ${overriding.join(" and ")} overrides the profile. Unset it, or give --profile ${quoteForShell(name)} with each command`,
      );
  },
});

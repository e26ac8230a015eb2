import { argument } from "../../arguments.ts";
import { defineStandaloneCommand } from "../../command.ts";
import { capabilityOption } from "../../definitions/actor-options.ts";
import { usage } from "../../failure.ts";
import { changeProfile, readProfile } from "../../profiles/profile-store.ts";

export const command = defineStandaloneCommand({
  arguments: [argument.profile],
  options: {
    capability: capabilityOption("least capability that the daemon must grant (required)"),
  },
  details:
    "A command stops before it does anything if the daemon grants less than the profile expects. Lower the expectation if the change is intended. This never changes what the daemon grants.",
  examples: [["belfry profile edit build --capability observe", "accept that the daemon now only allows reading"]],
  run: async ({ args: [name], options: { capability }, host, out }) => {
    if (capability === undefined) throw usage("missing --capability: give observe, operate, manage or enroll");
    const stored = await readProfile(name, host);
    await changeProfile({ ...stored, profile: { ...stored.profile, capability } }, host);
    out.answer({ profile: name, capability }, () => `Profile ${JSON.stringify(name)} now expects ${capability}`);
  },
});

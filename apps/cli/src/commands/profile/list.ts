import { defineStandaloneCommand } from "../../command.ts";
import { Failure } from "../../failure.ts";
import { readCurrent } from "../../profiles/profile-folder.ts";
import { listProfileNames, readProfile } from "../../profiles/profile-store.ts";
import {
  profileColumns,
  type ShownProfile,
  showProfile,
  showUnreadable,
  type UnreadableProfile,
} from "../../views/profile.ts";

export const command = defineStandaloneCommand({
  examples: [["belfry profile list", "list the profiles, and which one is in use"]],
  run: async ({ host, out }) => {
    const current = readCurrent(host.environment);
    const profiles: (ShownProfile | UnreadableProfile)[] = [];
    // one after the other: a locked keychain would ask once for each
    for (const name of listProfileNames(host)) {
      try {
        profiles.push(showProfile(await readProfile(name, host), current));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        profiles.push(showUnreadable(name, current, error));
      }
    }
    if (profiles.length === 0 && !out.json)
      return out.note("No profiles yet. Make one with: belfry enroll <invitation>");
    out.answer({ profiles }, () => out.table(profileColumns, profiles));
  },
});

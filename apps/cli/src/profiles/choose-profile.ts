import type { DaemonLocation } from "../daemon-location.ts";
import { usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readCurrent } from "./profile-folder.ts";
import { localName } from "./profile-name.ts";

/**
 * The profile to connect to; null for the daemon on this machine. An option wins over the environment, and both win over
 * `belfry profile use`. A socket or a data directory names a daemon on this machine.
 */
export function chooseProfile({ profile, socket, dataDir }: DaemonLocation, { environment }: Host): string | null {
  const isLocal = socket !== null || dataDir !== null;
  if (profile !== null && profile !== localName && isLocal)
    throw usage(
      "--profile cannot be combined with --socket or --data-dir, which name a daemon on this machine. Use one of them",
    );
  const chosen = profile ?? (isLocal ? localName : chosenByEnvironment(environment)) ?? readCurrent(environment);
  return chosen === localName ? null : chosen;
}

function chosenByEnvironment({ BELFRY_PROFILE, BELFRY_SOCKET, BELFRY_DATA_DIR }: Host["environment"]): string | null {
  if (BELFRY_PROFILE) return BELFRY_PROFILE;
  return BELFRY_SOCKET || BELFRY_DATA_DIR ? localName : null;
}

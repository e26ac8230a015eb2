import { connectRemote, type RemoteClient } from "@belfry/client/remote";
import type { Host } from "../host.ts";
import { readOptionalSecret } from "../input/secret.ts";
import type { Output } from "../output/output.ts";
import { readProfile } from "./profile-store.ts";
import type { StoredProfile } from "./stored-profile.ts";

interface ConnectOptions {
  readonly host: Host;
  readonly out: Output;
  readonly timeoutMs: number | null;
}

/** A client of the daemon of a profile. `BELFRY_TOKEN_FILE` replaces the token that is stored in the profile. */
export async function connectProfile(name: string, options: ConnectOptions): Promise<RemoteClient> {
  const { host } = options;
  const stored = await readProfile(name, host);
  const file = host.environment["BELFRY_TOKEN_FILE"] || undefined;
  const accessToken = await readOptionalSecret({ file, noun: "access token" }, host);
  return connectStored({ ...stored, profile: { ...stored.profile, ...(accessToken && { accessToken }) } }, options);
}

/** A client that does not retry, because a person is waiting. */
export function connectStored({ profile }: StoredProfile, { out, timeoutMs }: ConnectOptions): RemoteClient {
  return connectRemote(profile, {
    retries: 0,
    onUntrustedAddress: (error) => out.note(`Warning: ${error.message}`),
    ...(timeoutMs === null ? {} : { timeoutMs, connectTimeoutMs: timeoutMs }),
  });
}

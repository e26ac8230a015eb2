import { wholeToken } from "@belfry/contract";
import { connectRemote, type RemoteClient, type TrustError } from "@belfry/client/remote";
import { exitCodes } from "../exit-codes.ts";
import { Failure, usage } from "../failure.ts";
import type { Host } from "../host.ts";
import { readOptionalSecret } from "../input/secret.ts";
import { asWritten } from "../output/hints.ts";
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
  const accessToken = (await readTokenFile(host)) ?? stored.profile.accessToken;
  return connectStored({ ...stored, profile: { ...stored.profile, accessToken } }, options);
}

/** Reads `BELFRY_TOKEN_FILE`. Checks the form here, because another file must not be sent to the daemon. */
export async function readTokenFile(host: Host): Promise<string | undefined> {
  const file = host.environment["BELFRY_TOKEN_FILE"] || undefined;
  const token = await readOptionalSecret({ file, noun: "access token" }, host);
  if (token === undefined || wholeToken.test(token)) return token;
  throw usage(`${file} does not contain an access token`, "Correct BELFRY_TOKEN_FILE, or unset it");
}

/** A client that does not retry, because a person is waiting. */
export function connectStored({ name, profile }: StoredProfile, { out, timeoutMs }: ConnectOptions): RemoteClient {
  try {
    return connectRemote(profile, {
      retries: 0,
      // of a single address, the failure says the same
      ...(profile.addresses.length === 1
        ? {}
        : { onUntrustedAddress: ({ message }: TrustError) => out.note(asWritten(`Warning: ${message}`)) }),
      ...(timeoutMs === null ? {} : { timeoutMs, connectTimeoutMs: timeoutMs }),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Failure(exitCodes.failed, `profile ${JSON.stringify(name)} cannot be used: ${error.message}`);
  }
}

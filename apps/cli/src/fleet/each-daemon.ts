import type { RemoteClient } from "@belfry/client/remote";
import type { AnyClient } from "../any-client.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { explainError } from "../explain-error.ts";
import { type Failure, usage } from "../failure.ts";
import { texts } from "../options.ts";
import { mapAtMost } from "./map-at-most.ts";
import { connectStored } from "../profiles/connect-profile.ts";
import { localName } from "../profiles/profile-name.ts";
import { listProfileNames, readProfile } from "../profiles/profile-store.ts";

/** The answer of one daemon, or why there is none. */
export type DaemonResult<T> =
  | { readonly profile: string; readonly answer: T; readonly failure: null }
  | { readonly profile: string; readonly answer: null; readonly failure: Failure };

/** The number of daemons that are called at a time. */
const connectionsMax = 8;

export const onOption = texts(
  "--on <profiles>",
  "only these profiles, separated by commas; local is the daemon on this machine (default: all profiles)",
);

type Fleet = Pick<Context, "host" | "out" | "timeoutMs" | "location">;

/** Calls the daemons of many profiles, eight at a time. A daemon that fails does not stop the others. */
export async function callEach<T>(
  typed: readonly string[] | undefined,
  { host, out, timeoutMs, location }: Fleet,
  call: (client: AnyClient) => Promise<T>,
): Promise<readonly DaemonResult<T>[]> {
  if (host.environment["BELFRY_TOKEN_FILE"])
    throw usage("BELFRY_TOKEN_FILE is the token of one daemon, and must not be sent to others. Unset it");
  if (location.profile !== null)
    throw usage("--profile names one daemon, and this command calls those of --on", `Use: --on ${location.profile}`);
  const profiles = chosenProfiles(typed, listProfileNames(host));
  let answered = 0;
  using _ = out.progress(() => `${answered} of ${profiles.length} daemons have answered`);
  return await mapAtMost(profiles, connectionsMax, async (profile) => {
    const result = await callOne(profile);
    answered += 1;
    return result;
  });

  async function callOne(profile: string): Promise<DaemonResult<T>> {
    await using opened = new AsyncDisposableStack();
    try {
      const client = profile === localName ? connect(location, host, timeoutMs) : opened.use(await open(profile));
      return { profile, answer: await call(client), failure: null };
    } catch (error) {
      return {
        profile,
        answer: null,
        failure: await explainError(error, { called: null, access: { profile, tokenFile: null } }),
      };
    }
  }

  async function open(profile: string): Promise<RemoteClient> {
    return connectStored(await readProfile(profile, host), { host, out, timeoutMs });
  }
}

function chosenProfiles(typed: readonly string[] | undefined, known: readonly string[]): readonly string[] {
  const chosen = typed?.flatMap((names) => names.split(",")).map((name) => name.trim()) ?? known;
  if (chosen.length === 0)
    throw usage("there are no profiles yet", "Make one for each daemon with: belfry enroll <invitation>");
  return [...new Set(chosen)];
}

/** The highest exit code: an uncertain outcome is worse than a refusal, and that is worse than an unreachable daemon. */
export function worstOf<T>(
  results: readonly DaemonResult<T>[],
  codeOf: (answer: T) => ExitCode = () => exitCodes.ok,
): ExitCode {
  return results.reduce<ExitCode>((worst, { answer, failure }) => {
    const code = failure === null ? codeOf(answer) : failure.exitCode;
    return code > worst ? code : worst;
  }, exitCodes.ok);
}

/** The result of one daemon as JSON. */
export function resultAsJson<T extends object>({ profile, answer, failure }: DaemonResult<T>): object {
  if (failure === null) return { profile, ...answer };
  const { code, field, message, exitCode } = failure;
  return { profile, error: { code, field, message, exit_code: exitCode } };
}

/** `not found` or `credential revoked`; null for a daemon that answered. */
export function failureText<T>({ failure }: DaemonResult<T>): string | null {
  if (failure === null) return null;
  return failure.code.replaceAll("_", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

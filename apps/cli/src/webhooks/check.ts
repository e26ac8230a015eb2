import { isWebhookParseError, parseWebhook, verifyAuthorization, type WebhookPayload } from "@belfry/webhook-schema";
import { usage } from "../failure.ts";

/** One request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> & {
    readonly authorization?: string | undefined;
  };
  readonly body: Uint8Array;
}

export interface Expectations {
  readonly authorization: string | undefined;
  readonly signingSecret: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Checked {
  readonly payload: WebhookPayload | null;
  /** Reasons why a receiver should reject the request, as sentences. */
  readonly problems: readonly string[];
}

/** Creates the checks of a receiver. Throws if the signing secret is invalid. */
export async function createChecker({ authorization, signingSecret: secret, now }: Expectations) {
  const signed = secret === undefined ? null : { secret };
  if (signed !== null) await requireSecret(signed.secret);

  return async ({ method, headers, body }: Arrived): Promise<Checked> => {
    const content = await read(headers, body);
    // checked apart from the body, so that neither problem hides the other; the content type was checked above
    const signature =
      signed && (await read({ ...headers, "content-type": "application/json" }, body, { ...signed, now: now() }));
    const problems = [
      method === "POST" ? null : `The method is ${method}, not POST.`,
      content.problem,
      await authorizationProblem(headers.authorization, authorization),
      signature?.problem ?? null,
    ];
    return { payload: content.payload, problems: [...new Set(problems.filter((problem) => problem !== null))] };
  };
}

/** Checks an empty request: only an invalid secret throws something else than the missing signature. */
async function requireSecret(secret: string): Promise<void> {
  try {
    await read({ "content-type": "application/json" }, new Uint8Array(), { secret });
  } catch (error) {
    throw rewordSecretError(error);
  }
}

/** Rewords the error of an invalid secret. */
export function rewordSecretError(error: unknown): unknown {
  return error instanceof TypeError
    ? usage("invalid signing secret. Use whsec_ followed by 24 to 64 bytes in base64")
    : error;
}

async function read(...request: Parameters<typeof parseWebhook>) {
  try {
    return { payload: await parseWebhook(...request), problem: null };
  } catch (error) {
    if (!isWebhookParseError(error)) throw error;
    return { payload: null, problem: error.message };
  }
}

async function authorizationProblem(given: string | undefined, expected: string | undefined): Promise<string | null> {
  if (expected === undefined || (await verifyAuthorization(expected, given))) return null;
  return given === undefined
    ? "The Authorization header is missing."
    : "The Authorization header does not have the expected value.";
}

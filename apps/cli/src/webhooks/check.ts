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
  /** Of milliseconds since 1970. */
  readonly now: () => number;
}

export interface Checked {
  readonly payload: WebhookPayload | null;
  /** Sentences: why a receiver should not accept it. None for a request as it should be. */
  readonly problems: readonly string[];
}

/** What a careful receiver looks at. Refused at once where the signing secret is none. */
export async function createChecker({ authorization, signingSecret: secret, now }: Expectations) {
  const signed = secret === undefined ? null : { secret };
  if (signed !== null) await requireSecret(signed.secret);

  return async ({ method, headers, body }: Arrived): Promise<Checked> => {
    const content = await read(headers, body);
    // apart from what is in the body, so that neither hides the other; its type was looked at
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

/** An empty request is not signed: only a secret that is none is told otherwise. */
async function requireSecret(secret: string): Promise<void> {
  try {
    await read({ "content-type": "application/json" }, new Uint8Array(), { secret });
  } catch (error) {
    throw secretRefused(error);
  }
}

/** What the package says of a secret, in words of the command. */
export function secretRefused(error: unknown): unknown {
  return error instanceof TypeError ? usage("a signing secret is whsec_ and the base64 of 24 to 64 bytes") : error;
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
  return given === undefined ? "There is no Authorization." : "The Authorization is another one.";
}

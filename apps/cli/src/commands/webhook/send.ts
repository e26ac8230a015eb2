import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { exitCodes } from "../../exit-codes.ts";
import { usage } from "../../failure.ts";
import { readOptionalSecret, readSecret, refuseSharedStdin } from "../../input/secret.ts";
import { oneOf, text } from "../../options.ts";
import { type Example, exampleDelivery, exampleNames } from "../../webhooks/examples.ts";

const timeoutMs = 5_000;

export const command = defineCommand({
  arguments: [{ name: "url", summary: "where to; without it, from --url-file", isOptional: true }],
  options: {
    fixture: oneOf("--fixture <name>", "which example (failure)", exampleNames),
    urlFile: text("--url-file <file>", "where to, where the URL is a secret; - is standard input"),
    authorizationFile: text("--authorization-file <file>", "what to send in the Authorization header"),
    signingSecretFile: text("--signing-secret-file <file>", "sign it with this: whsec_..."),
  },
  details:
    "Sends one example, as the daemon would but without the daemon, and tells what came back. The exit code is 1 unless it was a 2xx.",
  examples: [
    ["belfry webhook send http://127.0.0.1:3000/hook", "try a receiver you are writing"],
    ["belfry webhook send --url-file url --fixture test --signing-secret-file secret", "a signed one"],
  ],
  run: async ({ args: [typed], options, host, out }) => {
    refuseSharedStdin([
      typed === undefined ? (options.urlFile ?? "-") : options.urlFile,
      options.authorizationFile,
      options.signingSecretFile,
    ]);
    if (typed !== undefined && options.urlFile !== undefined) throw usage("give the URL or --url-file, not both");
    const given = typed ?? (await readSecret({ file: options.urlFile, what: "URL" }, host));
    const url = readUrl(given.trim());
    const authorization = await readOptionalSecret({ file: options.authorizationFile, what: "authorization" }, host);
    const secret = await readOptionalSecret({ file: options.signingSecretFile, what: "signing secret" }, host);
    const delivery = await exampleDelivery(
      options.fixture ?? "failure",
      withoutUndefined({ secret, authorization, now: host.now() }),
    );
    const answer = await post(url, delivery);
    out.answer({ ...answer, payload: delivery.payload }, () => `${url.origin} ${answer.text}`);
    return answer.is_accepted ? exitCodes.ok : exitCodes.failed;
  },
});

interface Answer {
  readonly status: number | null;
  readonly is_accepted: boolean;
  readonly text: string;
}

async function post(url: URL, { request }: Example): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...request, redirect: "manual", signal });
    await response.body?.cancel();
    const { status } = response;
    const is_accepted = status >= 200 && status < 300;
    return {
      status,
      is_accepted,
      text: `answered ${status}${is_accepted ? "" : ": that is a failure, it would be tried again"}`,
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    return { status: null, is_accepted: false, text: `was not reached: ${code}` };
  }
}

function readUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw usage("the URL must begin with http:// or https://");
  if (url.username !== "" || url.password !== "")
    throw usage("the URL holds a user or password: use --authorization-file");
  return url;
}

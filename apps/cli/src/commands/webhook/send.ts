import { defineStandaloneCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { exitCodes } from "../../exit-codes.ts";
import { usage } from "../../failure.ts";
import { readOptionalSecret, readSecret, refuseSharedStdin } from "../../input/secret.ts";
import { oneOf, text } from "../../options.ts";
import { type Example, exampleDelivery, exampleNames } from "../../webhooks/examples.ts";

const timeoutMs = 5_000;

export const command = defineStandaloneCommand({
  arguments: [
    { name: "url", summary: "receiver URL (default: read from --url-file or standard input)", isOptional: true },
  ],
  options: {
    fixture: oneOf("--fixture <name>", "sample to send", { choices: exampleNames, byDefault: "failure" }),
    urlFile: text("--url-file <file>", "file that contains the URL, if it is secret; - reads standard input"),
    authorizationFile: text("--authorization-file <file>", "file that contains the value of the Authorization header"),
    signingSecretFile: text("--signing-secret-file <file>", "file that contains the signing secret: whsec_..."),
  },
  details:
    "Sends one sample webhook, in the form that the daemon sends, and prints the status of the response. No daemon needs to run. The exit code is 1 unless the status is 2xx.",
  examples: [
    ["belfry webhook send http://127.0.0.1:3000/hook", "test a receiver during development"],
    ["belfry webhook send --url-file url --fixture test --signing-secret-file secret", "send a signed sample"],
  ],
  run: async ({ args: [typed], options, host, out }) => {
    refuseSharedStdin([
      typed === undefined ? (options.urlFile ?? "-") : options.urlFile,
      options.authorizationFile,
      options.signingSecretFile,
    ]);
    if (typed !== undefined && options.urlFile !== undefined) throw usage("give either a URL or --url-file, not both");
    const given = typed ?? (await readSecret({ file: options.urlFile, noun: "URL" }, host));
    const url = readUrl(given.trim());
    const authorization = await readOptionalSecret({ file: options.authorizationFile, noun: "authorization" }, host);
    const secret = await readOptionalSecret({ file: options.signingSecretFile, noun: "signing secret" }, host);
    const delivery = await exampleDelivery(
      options.fixture ?? "failure",
      withoutUndefined({ secret, authorization, now: host.now() }),
    );
    const answer = await post(url, delivery);
    out.answer({ ...answer, payload: delivery.payload }, () => `${url.origin} ${answer.text}`);
    return answer.is_accepted ? exitCodes.ok : exitCodes.failed;
  },
});

interface PostResult {
  readonly status: number | null;
  readonly is_accepted: boolean;
  readonly text: string;
}

async function post(url: URL, { request }: Example): Promise<PostResult> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...request, redirect: "manual", signal });
    await response.body?.cancel();
    const { status } = response;
    const is_accepted = status >= 200 && status < 300;
    return {
      status,
      is_accepted,
      text: `responded with ${status}${is_accepted ? "" : ". The daemon would record a failure and retry"}`,
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? ("code" in cause ? String(cause.code) : cause.message) : String(cause);
    return { status: null, is_accepted: false, text: `is unreachable: ${reason}` };
  }
}

function readUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw usage("the URL must begin with http:// or https://");
  if (url.username !== "" || url.password !== "")
    throw usage("the URL must not contain a user name or password. Use --authorization-file instead");
  return url;
}

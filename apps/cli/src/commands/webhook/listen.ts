import { defineStandaloneCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { readOptionalSecret, refuseSharedStdin } from "../../input/secret.ts";
import { integer, text } from "../../options.ts";
import { formatLocal } from "../../output/time.ts";
import { type Checked, createChecker } from "../../webhooks/check.ts";
import { listen } from "../../webhooks/listener.ts";

const portDefault = 8_787;

export const command = defineStandaloneCommand({
  options: {
    port: integer("--port <n>", `port to listen on (default ${portDefault}); 0 chooses a free port`, {
      min: 0,
      max: 65_535,
    }),
    count: integer("--count <n>", "stop after this many requests", { min: 1, max: 1_000_000 }),
    status: integer("--status <n>", "HTTP status to respond with (default 204)", { min: 200, max: 599 }),
    authorizationFile: text(
      "--authorization-file <file>",
      "file that contains the expected value of the Authorization header; - reads standard input",
    ),
    signingSecretFile: text(
      "--signing-secret-file <file>",
      "file that contains the expected signing secret: whsec_...",
    ),
  },
  details:
    "Listens on 127.0.0.1 and prints each webhook, with the problems for which a receiver should reject it. Stop with Ctrl-C. The exit code is 1 if a webhook had problems.",
  examples: [
    [
      "belfry webhook listen",
      "listen; in another terminal: echo http://127.0.0.1:8787/ | belfry channel add Local --endpoint-file -",
    ],
    ["belfry webhook listen --count 1 --json", "print one webhook as JSON, then stop"],
  ],
  run: async ({ options, host, out }) => {
    refuseSharedStdin([options.authorizationFile, options.signingSecretFile]);
    const authorization = await readOptionalSecret({ file: options.authorizationFile, noun: "authorization" }, host);
    const signingSecret = await readOptionalSecret({ file: options.signingSecretFile, noun: "signing secret" }, host);
    const check = await createChecker({ authorization, signingSecret, now: () => host.now() });
    const ended = Promise.withResolvers<void>();
    using _ = host.onInterrupt(() => ended.resolve());
    let count = 0;
    let hasProblems = false;
    await using listener = await listen(options.port ?? portDefault, options.status ?? 204, async (arrived) => {
      const checked = await check(arrived);
      hasProblems ||= checked.problems.length > 0;
      out.event(checked, () => `${formatLocal(new Date(host.now()).toISOString())}  ${describe(checked)}`);
      // after the response to this request is sent
      if (++count === options.count) setImmediate(ended.resolve);
    });
    out.note(`Listening at ${listener.url}`);
    await ended.promise;
    return hasProblems ? exitCodes.failed : exitCodes.ok;
  },
});

function describe({ payload, problems }: Checked): string {
  const what =
    payload === null
      ? "invalid webhook"
      : payload.event === "test"
        ? `test  ${payload.delivery.id}`
        : `run.completed  ${payload.delivery.id}  ${payload.task.name}: ${payload.run.outcome}`;
  return problems.length === 0 ? `ok   ${what}` : `BAD  ${what}: ${problems.join(" ")}`;
}

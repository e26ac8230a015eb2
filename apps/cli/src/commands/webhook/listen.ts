import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../exit-codes.ts";
import { readOptionalSecret, refuseSharedStdin } from "../../input/secret.ts";
import { integer, text } from "../../options.ts";
import { formatLocal } from "../../output/time.ts";
import { type Checked, createChecker } from "../../webhooks/check.ts";
import { listen } from "../../webhooks/listener.ts";

const portDefault = 8_787;

export const command = defineCommand({
  options: {
    port: integer("--port <n>", `the port on this machine (${portDefault}); 0 for any`, { min: 0, max: 65_535 }),
    count: integer("--count <n>", "end after so many", { min: 1, max: 1_000_000 }),
    status: integer("--status <n>", "answer with this (204)", { min: 200, max: 599 }),
    authorizationFile: text("--authorization-file <file>", "expect this Authorization; - is standard input"),
    signingSecretFile: text("--signing-secret-file <file>", "expect signatures by this secret"),
  },
  details:
    "Prints each webhook that arrives on this machine, and whether a careful receiver would accept it. Ctrl-C ends it.",
  examples: [
    [
      "belfry webhook listen",
      "then, elsewhere: echo http://127.0.0.1:8787/ | belfry channel add Here --endpoint-file -",
    ],
    ["belfry webhook listen --count 1 --json", "one, for a program"],
  ],
  run: async ({ options, host, out }) => {
    refuseSharedStdin([options.authorizationFile, options.signingSecretFile]);
    const authorization = await readOptionalSecret({ file: options.authorizationFile, what: "authorization" }, host);
    const signingSecret = await readOptionalSecret({ file: options.signingSecretFile, what: "signing secret" }, host);
    const check = await createChecker({ authorization, signingSecret, now: () => host.now() });
    const ended = Promise.withResolvers<void>();
    using _ = host.onInterrupt(() => ended.resolve());
    let count = 0;
    let hasProblems = false;
    await using listener = await listen(options.port ?? portDefault, options.status ?? 204, async (arrived) => {
      const checked = await check(arrived);
      hasProblems ||= checked.problems.length > 0;
      out.event(checked, () => `${formatLocal(new Date(host.now()).toISOString())}  ${describe(checked)}`);
      // the answer to this one goes out first
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
      ? "no webhook"
      : payload.event === "test"
        ? `test  ${payload.delivery.id}`
        : `run.completed  ${payload.delivery.id}  ${payload.task.name}: ${payload.run.outcome}`;
  return problems.length === 0 ? `ok   ${what}` : `BAD  ${what}: ${problems.join(" ")}`;
}

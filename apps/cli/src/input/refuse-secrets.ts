import { type Failure, usage } from "../failure.ts";

const triggerKey = /bfk_[0-9A-Za-z]{8}_[0-9A-Za-z]+/;
const accessToken = /bat_[0-9A-Za-z]{8}_[0-9A-Za-z]+/;

/** The error for a trigger key or an access token among the arguments, or null. It does not repeat the secret. */
export function refuseSecrets(argv: readonly string[]): Failure | null {
  if (argv.some((argument) => accessToken.test(argument)))
    return usage(
      "an access token must not be on the command line, where other users can read it and your shell stores it",
      "To revoke the exposed token, use: belfry credential revoke",
    );
  if (!argv.some((argument) => triggerKey.test(argument))) return null;
  return usage(
    "a trigger key must not be on the command line, where other users can read it and your shell stores it",
    "Give the key on standard input, at the prompt, or with --key-file <file>. To replace the exposed key, use: belfry trigger rotate",
  );
}

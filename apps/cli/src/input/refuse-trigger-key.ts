import { type Failure, usage } from "../failure.ts";

const triggerKey = /bfk_[0-9A-Za-z]{8}_[0-9A-Za-z]+/;

/** What to say of a trigger's key among the words of a call; null where there is none. The key itself is not repeated. */
export function refuseTriggerKey(words: readonly string[]): Failure | null {
  if (!words.some((word) => triggerKey.test(word))) return null;
  return usage(
    "a trigger's key never goes on the command line: everybody on this machine can read it there, and your shell keeps it",
    "Give it on standard input, at the prompt, or by --key-file FILE; and since it was seen, replace it: belfry trigger rotate",
  );
}

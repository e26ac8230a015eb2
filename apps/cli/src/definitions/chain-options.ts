import type { Chain } from "@belfry/client";
import { literalsOf } from "../choices.ts";
import { duration, oneOf } from "../options.ts";

const outcomes = literalsOf<Chain["on_outcome"]>({ success: true, failure: true, any: true });

export const chainOptions = {
  on: oneOf("--on <outcome>", "start the target after this outcome of the source", {
    choices: outcomes,
    byDefault: "success",
  }),
  delay: duration("--delay <duration>", "time to wait after the source finishes (default 0s)"),
};

import type { Chain } from "@belfry/client";
import { literalsOf } from "../choices.ts";
import { duration, oneOf } from "../options.ts";

const outcomes = literalsOf<Chain["on_outcome"]>({ success: true, failure: true, any: true });

export const chainOptions = {
  on: oneOf("--on <outcome>", "how the source must have ended", outcomes),
  delay: duration("--delay <duration>", "wait so long after that end (0s)"),
};

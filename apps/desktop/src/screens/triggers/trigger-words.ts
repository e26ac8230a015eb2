import type { Trigger } from "@belfry/client";
import { describeReadiness, type Readiness } from "../../data/readiness-words.ts";

export function describeTrigger({ reason }: Pick<Trigger, "reason">): Readiness {
  if (reason === "trigger_disabled")
    return { kind: "off", word: "Disabled", text: "The trigger is disabled: its key does nothing." };
  return describeReadiness(reason);
}

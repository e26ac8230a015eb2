import type { RuntimeInfo } from "@belfry/client";
import { formatLocal } from "../output/time.ts";
import type { Finding } from "./finding.ts";

/** Runner processes that hang. Their runs wait; an older daemon does not report them. */
export function checkRunners({ silent_runners: silent = [] }: Partial<RuntimeInfo>): readonly Finding[] {
  if (silent.length === 0) return [{ subject: "runners", level: "good", text: "every runner process responds" }];
  return silent.map(({ pid, since }) => ({
    subject: "runners",
    level: "bad",
    text: `process ${pid} has not responded since ${formatLocal(since)}: the runs that it has started wait for it, all others start in another runner. If it does not continue, run: kill -KILL ${pid}. Its runs then end as lost`,
  }));
}

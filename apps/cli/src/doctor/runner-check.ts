import type { RuntimeInfo } from "@belfry/client";
import { formatLocal } from "../output/time.ts";
import type { Finding } from "./finding.ts";

/** Runner processes that hang, orders that made several hang, and runners whose files are used up. An older daemon does not report them. */
export function checkRunners(info: Partial<RuntimeInfo>): readonly Finding[] {
  const findings = [...checkSilent(info), ...checkPaused(info), ...checkHeld(info)];
  if (findings.length > 0) return findings;
  return [{ subject: "runners", level: "good", text: "every runner process responds" }];
}

function checkHeld({ held_outputs: outputs = [] }: Partial<RuntimeInfo>): readonly Finding[] {
  return outputs.map(({ pid, held, max }) => ({
    subject: "runners",
    level: "warn",
    text: `background processes of ${held} ended tasks hold their output, and process ${pid} has files for ${max}. At that number no task starts. Redirect their output to a file or to /dev/null, or end them with: belfry task edit <task> --leftovers kill`,
  }));
}

function checkPaused({ paused_starts: paused = [] }: Partial<RuntimeInfo>): readonly Finding[] {
  return paused.map(({ run_id: run, unanswered, until }) => ({
    subject: "runners",
    level: "bad",
    text: `${unanswered} processes did not answer the order to start ${run}, which may be what makes them hang: the order is sent again at ${formatLocal(until)}. If it should not be, run: belfry run cancel ${run}`,
  }));
}

function checkSilent({ silent_runners: silent = [] }: Partial<RuntimeInfo>): readonly Finding[] {
  return silent.map(({ pid, since }) => ({
    subject: "runners",
    level: "bad",
    text: `process ${pid} has not responded since ${formatLocal(since)}: the runs that it has started wait for it, all others start in another runner. If it does not continue, run: kill -KILL ${pid}. Its runs then end as lost`,
  }));
}

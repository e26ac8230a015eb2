import type { FilesystemWatcher } from "@belfry/client";
import type { Readiness } from "../../data/readiness-words.ts";
import { describeReadiness } from "../../data/readiness-words.ts";

const states: Readonly<Record<FilesystemWatcher["health"]["state"], readonly [Readiness["kind"], string]>> = {
  starting: ["queued", "Starting"],
  observing: ["success", "Observing"],
  polling: ["success", "Polling"],
  degraded: ["attention", "Degraded"],
  missing_path: ["attention", "Path missing"],
  permission_denied: ["failure", "No permission"],
  stopped: ["off", "Stopped"],
  error: ["failure", "Error"],
};

/** Whether a watcher sees its files, and whether it can start its task. */
export function describeWatcher({
  enabled,
  health,
  reason,
}: Pick<FilesystemWatcher, "enabled" | "health" | "reason">): Readiness {
  if (!enabled) return { kind: "off", word: "Disabled", text: "The watcher is disabled." };
  const [kind, word] = states[health.state] ?? ["attention", health.state];
  if (kind !== "success" || reason === "ready" || reason === "watcher_disabled")
    return { kind, word, text: health.reason };
  return describeReadiness(reason);
}

import { watcherHealthReasons, type WatcherHealthReason, type WatcherHealthState } from "@belfry/contract";
import type { HealthCode } from "./observing/messages.ts";

interface Health {
  readonly state: WatcherHealthState;
  readonly reason: WatcherHealthReason;
}

const reasons = watcherHealthReasons;

/** What each finding of the observer means for the user. */
export const healthOf: Readonly<Record<HealthCode, Health>> = {
  starting: { state: "starting", reason: reasons.scanning },
  observing: { state: "observing", reason: reasons.notified },
  file_missing: { state: "observing", reason: reasons.file_missing },
  polling_watches: { state: "polling", reason: reasons.watches_exhausted },
  polling_instances: { state: "polling", reason: reasons.instances_exhausted },
  polling_network: { state: "polling", reason: reasons.remote_mount },
  partly_polled: { state: "degraded", reason: reasons.partly_polled },
  partly_unreadable: { state: "degraded", reason: reasons.partly_unreadable },
  partly_remote: { state: "degraded", reason: reasons.partly_remote },
  never_rests: { state: "degraded", reason: reasons.never_stable },
  missing: { state: "missing_path", reason: reasons.directory_missing },
  denied: { state: "permission_denied", reason: reasons.unreadable },
  not_directory: { state: "error", reason: reasons.not_a_directory },
  not_file: { state: "degraded", reason: reasons.not_a_file },
  elsewhere: { state: "starting", reason: reasons.scanning },
  own_files: { state: "error", reason: reasons.in_data_directory },
  too_many: { state: "error", reason: reasons.too_many_files },
  unreadable: { state: "error", reason: reasons.unreadable_system },
  no_answer: { state: "error", reason: reasons.unresponsive_mount },
  failed: { state: "error", reason: reasons.unreadable_system },
  disabled: { state: "stopped", reason: reasons.disabled },
};

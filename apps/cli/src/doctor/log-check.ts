import type { Finding } from "./finding.ts";
import { type LogLine, readLogTail } from "./log-tail.ts";

const dayMs = 86_400_000;

/** What the events mean that a user may cause or can act on. */
const meanings: Readonly<Record<string, string>> = {
  "attempt.claim_unreadable": "the record of a start was damaged, so its run ended as lost",
  "clock.jumped": "the clock of this machine was changed",
  "runner.lost": "a runner process died, so its runs ended as lost",
  "runner.silent": "a runner process did not respond, so another one took its place",
  "schedule.not_planned": "a schedule cannot be planned: see belfry agenda",
  "triggers.refused": "callers without a valid key used the socket for fires",
  "schedules.clock_set_back": "the clock was set back by hours, so schedules continue from the new time",
};

/** Other checks report these events, and failed runs. */
const reportedElsewhere: ReadonlySet<string> = new Set(["daemon.former_killed", "remote.commands_allowed"]);

/** Warnings of the last 24 hours, as far as the end of the log reaches back. */
export function checkLog(path: string, nowMs: number): Finding {
  const since = new Date(nowMs - dayMs).toISOString();
  const lines = readLogTail(path);
  const isOfDaemon = ({ level, event }: LogLine): boolean =>
    (level === "warn" || level === "error") && !event.startsWith("run.") && !reportedElsewhere.has(event);
  const startedAt = lines.findLast(({ event }) => event === "daemon.started")?.at ?? "";
  // the reason of a failed start is gone once a later one succeeds
  const isOver = ({ at, event }: LogLine): boolean => event === "daemon.not_started" && at <= startedAt;
  const recent = lines.filter((line) => line.at >= since && isOfDaemon(line) && !isOver(line));
  if (recent.length === 0) return { subject: "log", level: "good", text: "no warnings or errors in the last 24 hours" };
  const counts = new Map<string, number>();
  for (const { event } of recent) counts.set(event, (counts.get(event) ?? 0) + 1);
  const events = [...counts].map(([event, count]) => describe(event, count)).join(", ");
  return {
    subject: "log",
    level: recent.some(({ level }) => level === "error") ? "bad" : "warn",
    text: `warnings or errors in the last 24 hours: ${events}. See ${path}`,
  };
}

function describe(event: string, count: number): string {
  const meaning = meanings[event];
  const details = [...(meaning === undefined ? [] : [meaning]), ...(count === 1 ? [] : [String(count)])];
  return details.length === 0 ? event : `${event} (${details.join("; ")})`;
}

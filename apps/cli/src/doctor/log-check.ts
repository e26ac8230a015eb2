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

/** The events that say that an error of the same file, or of the same part of the daemon, is over. */
const recoveries: Readonly<Record<string, readonly string[]>> = {
  "remote.not_reachable": ["remote.listening"],
  "storage.broken": ["storage.recovered", "storage.restored"],
};

/** Warnings of the last 24 hours, as far as the end of the log reaches back. An error that is over is only a warning. */
export function checkLog(path: string, nowMs: number): Finding {
  const since = new Date(nowMs - dayMs).toISOString();
  const lines = readLogTail(path);
  const current = findCurrentStart(lines);
  const isOfDaemon = ({ level, event }: LogLine): boolean =>
    (level === "warn" || level === "error") && !event.startsWith("run.") && !reportedElsewhere.has(event);
  // the reason of a failed start is gone once a later one succeeds
  const isGone = ({ event }: LogLine, index: number): boolean => event === "daemon.not_started" && index < current;
  const present: LogLine[] = [];
  const over: LogLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.at < since || !isOfDaemon(line) || isGone(line, index)) continue;
    const isOver = line.level === "error" && (index < current || isRecovered(line, lines.slice(index + 1)));
    (isOver ? over : present).push(line);
  }
  if (present.length + over.length === 0)
    return { subject: "log", level: "good", text: "no warnings or errors in the last 24 hours" };
  const texts = [
    ...(present.length === 0 ? [] : [`warnings or errors in the last 24 hours: ${describeAll(present)}`]),
    ...(over.length === 0 ? [] : [`errors in the last 24 hours that are over: ${describeAll(over)}`]),
  ];
  const level = present.some((line) => line.level === "error") ? "bad" : "warn";
  return { subject: "log", level, text: `${texts.join(". ")}. See ${path}` };
}

/**
 * Finds where the lines of the newest daemon that started begin. Its own first lines precede `daemon.started`, so they
 * begin after the end of the former daemon. 0 if the log does not show that end.
 */
function findCurrentStart(lines: readonly LogLine[]): number {
  const started = lines.findLastIndex(({ event }) => event === "daemon.started");
  const isEnd = ({ event }: LogLine): boolean =>
    event === "daemon.stopped" || event === "daemon.former_killed" || event === "daemon.not_started";
  return lines.slice(0, Math.max(started, 0)).findLastIndex(isEnd) + 1;
}

/** The daemon logs a restored file once it has repaired it, so nothing is left to do. */
function isRecovered({ event, path }: LogLine, later: readonly LogLine[]): boolean {
  if (event === "storage.restored") return true;
  const ends = recoveries[event] ?? [];
  return later.some((line) => ends.includes(line.event) && line.path === path);
}

function describeAll(lines: readonly LogLine[]): string {
  const counts = new Map<string, number>();
  for (const { event } of lines) counts.set(event, (counts.get(event) ?? 0) + 1);
  return [...counts].map(([event, count]) => describe(event, count)).join(", ");
}

function describe(event: string, count: number): string {
  const meaning = meanings[event];
  const details = [...(meaning === undefined ? [] : [meaning]), ...(count === 1 ? [] : [String(count)])];
  return details.length === 0 ? event : `${event} (${details.join("; ")})`;
}

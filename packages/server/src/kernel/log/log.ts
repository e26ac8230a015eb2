import type { Clock } from "../time/clock.ts";
import { withoutKeys } from "./redact.ts";
import { formatInstant, type Instant } from "../time/time.ts";

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface LogEntry {
  readonly at: Instant;
  readonly level: LogLevel;
  /** A fixed name such as `run.ended`; values are fields, never part of it. */
  readonly event: string;
  readonly fields: LogFields;
}

/**
 * Writes one line per event. `error` needs a person; `warn` is a guarantee that does not fully hold; `info` is a step
 * in a life cycle; `debug` is everything else.
 */
export interface Log {
  readonly debug: (event: string, fields?: LogFields) => void;
  readonly info: (event: string, fields?: LogFields) => void;
  readonly warn: (event: string, fields?: LogFields) => void;
  readonly error: (event: string, fields?: LogFields) => void;
  /** Whether a line of this level would be written, so that its fields need not be computed otherwise. */
  readonly writes: (level: LogLevel) => boolean;
}

export type LogSink = (entry: LogEntry) => void;

export function createLog(clock: Pick<Clock, "now">, level: LogLevel, sinks: readonly LogSink[]): Log {
  const writes = (own: LogLevel): boolean => logLevels.indexOf(own) >= logLevels.indexOf(level);
  const at = (own: LogLevel) => {
    if (!writes(own)) return (): void => {};
    return (event: string, fields: LogFields = {}): void => {
      const entry: LogEntry = { at: clock.now(), level: own, event, fields: keyless(fields) };
      for (const sink of sinks) sink(entry);
    };
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), writes };
}

/** Removes trigger keys and access tokens from every line. */
function keyless(fields: LogFields): LogFields {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? withoutKeys(value) : value,
  ]);
  return Object.fromEntries(shown) as LogFields;
}

export const silentLog: Log = createLog({ now: () => 0 }, "error", []);

/** Formats an entry for programs: one JSON object per line. */
export function formatJsonLine(entry: LogEntry): string {
  return `${JSON.stringify({ at: formatInstant(entry.at), level: entry.level, event: entry.event, ...entry.fields })}\n`;
}

/** Formats an entry for people: time, level unless it is info, event, fields. */
export function formatHumanLine(entry: LogEntry): string {
  const fields = Object.entries(entry.fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(
      ([name, value]) => `${name}=${typeof value === "string" && /[\s"=]/.test(value) ? JSON.stringify(value) : value}`,
    );
  const level = entry.level === "info" ? "" : `${entry.level.toUpperCase()} `;
  return (
    `${formatInstant(entry.at).slice(11, 23)}  ${level}${entry.event.padEnd(22)} ${fields.join(" ")}`.trimEnd() + "\n"
  );
}

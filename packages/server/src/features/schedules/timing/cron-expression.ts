import { formatDuration, limits, parseDuration } from "@belfry/contract";
import { CronError } from "./cron-error.ts";
import { type CronField, CronFault, cronFields, normalizeField } from "./cron-field.ts";
import { quote } from "./quote.ts";

const nicknames: ReadonlyMap<string, string> = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@noon", "0 12 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
]);

/** Returns six checked fields, seconds first, for an expression of five or six fields or a name such as `@daily`. */
export function normalizeExpression(expression: string): readonly string[] {
  const trimmed = expression.trim();
  refuseZone(trimmed);
  const texts = (trimmed.startsWith("@") ? expandNickname(trimmed) : trimmed).match(/\S+/g) ?? [];
  const fields = texts.length === 5 ? ["0", ...texts] : texts;
  if (fields.length !== 6) throw new CronError("expression", explainCount(texts, expression));
  return cronFields.map((field, index) => normalizeIn(expression, field, fields[index]!));
}

/** Checks one field. Every error has the expression, the field, the fault and an example that works. */
function normalizeIn(expression: string, field: CronField, text: string): string {
  try {
    return normalizeField(field, text);
  } catch (error) {
    if (!(error instanceof CronFault)) throw error;
    const advice = error.advice ?? `for example ${field.example}`;
    const fault = `has an invalid ${field.name.replaceAll("_", " ")}: ${error.message}; ${advice}`;
    throw new CronError(field.name, `${quote(expression)} ${fault}`);
  }
}

function expandNickname(name: string): string {
  const expanded = nicknames.get(name.toLowerCase());
  if (expanded !== undefined) return expanded;
  throw new CronError("expression", explainNickname(name));
}

// The command line replaces a member in backticks in these messages with its own option.

function explainNickname(name: string): string {
  if (/^@reboot$/i.test(name)) return `${quote(name)} is not a time of day: use \`kind: "boot"\``;
  const every = /^@every\b(.*)$/is.exec(name);
  if (every === null) return `${quote(name)} is not one of ${[...nicknames.keys()].join(" ")}`;
  const length = readLength(every[1]!.trim()) ?? "5m";
  return `${quote(name)} is an interval, not a cron expression: use \`every: ${quote(length)}\``;
}

/** Reads `1h30m`, a form of other schedulers, as a duration in one unit. */
function readLength(text: string): string | null {
  const parts = text.match(/[\d.]+[a-z]+/gi) ?? [];
  if (parts.length === 0 || parts.join("") !== text) return null;
  const ms = parts.reduce((total, part) => total + (parseDuration(part.toLowerCase()) ?? Number.NaN), 0);
  return ms >= limits.intervalMinMs ? formatDuration(ms) : null;
}

/** Rejects a form of other schedulers: `CRON_TZ=Europe/Berlin 0 3 * * *`. */
function refuseZone(expression: string): void {
  const match = /^(?:CRON_)?TZ\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S*))\s*(.*)$/is.exec(expression);
  if (match === null) return;
  const [, double, single, bare, rest = ""] = match;
  const zone = double ?? single ?? bare ?? "";
  const member = zone === "" ? "`time_zone`" : `\`time_zone: ${quote(zone)}\``;
  const times = rest === "" ? "" : ` with \`expression: ${quote(rest)}\``;
  throw new CronError("expression", `${quote(expression)} must not contain a time zone: use ${member}${times}`);
}

const fieldNames = "minute, hour, day of month, month, day of week";

function explainCount(texts: readonly string[], expression: string): string {
  const name = `@${texts[0]?.toLowerCase()}`;
  if (texts.length === 1 && nicknames.has(name))
    return `${quote(expression)} is not a cron expression: use \`expression: ${quote(name)}\``;
  if (texts.length < 5 && calendarPart.test(expression)) return explainCalendar(expression);
  const count = texts.length;
  const found = `${quote(expression)} has ${count} ${count === 1 ? "field" : "fields"}`;
  const tooMany = count > 6 ? ", and a year or a command is not part of an expression" : "";
  return `${found}${tooMany}: write 5 (${fieldNames}), or 6 of which the first is for seconds; for example ${cronFields[1]!.example}`;
}

/** A date or a time of `OnCalendar=`: `*-*-*`, `2026-12-01`, `02:00` or `*:0/15`. */
const calendarPart = /(?:^|\s)(?:[\d*][\d*,./]*:[\d*]|(?:\*|\d{4})-[\d*])/;

function explainCalendar(expression: string): string {
  const daily = /^(?:\*-\*-\*\s+)?0?(\d{1,2}):0?(\d{1,2})(?::00)?$/.exec(expression.trim());
  const form =
    daily === null
      ? `write 5 fields (${fieldNames}), for example ${cronFields[1]!.example}`
      : `use \`expression: ${quote(`${daily[2]} ${daily[1]} * * *`)}\``;
  return `${quote(expression)} has the form of OnCalendar in systemd, not of a cron expression: ${form}; docs/from-systemd-timers.md has the other forms`;
}

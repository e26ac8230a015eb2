import { CronError } from "./cron-error.ts";
import { type CronField, CronFault, cronFields, normalizeField } from "./cron-field.ts";
import { quote } from "./quote.ts";

const nicknames: ReadonlyMap<string, string> = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
]);

/** Six checked fields, seconds first, from an expression of five or six, or a name such as `@daily`. */
export function normalizeExpression(expression: string): readonly string[] {
  const trimmed = expression.trim();
  const texts = (trimmed.startsWith("@") ? expandNickname(trimmed) : trimmed).match(/\S+/g) ?? [];
  const fields = texts.length === 5 ? ["0", ...texts] : texts;
  if (fields.length !== 6) throw new CronError("expression", explainCount(texts.length, expression));
  return cronFields.map((field, index) => normalizeIn(expression, field, fields[index]!));
}

/** Every refusal names the place, the reason, what was written, and a form that works. */
function normalizeIn(expression: string, field: CronField, text: string): string {
  try {
    return normalizeField(field, text);
  } catch (error) {
    if (!(error instanceof CronFault)) throw error;
    const message = `${error.message} in ${quote(expression)}; for example ${field.example}`;
    throw new CronError(field.name, `${field.name.replaceAll("_", " ")}: ${message}`);
  }
}

function expandNickname(name: string): string {
  const expanded = nicknames.get(name.toLowerCase());
  if (expanded !== undefined) return expanded;
  throw new CronError("expression", explainNickname(name));
}

function explainNickname(name: string): string {
  if (/^@reboot$/i.test(name)) return `${quote(name)} is not a time; make a schedule of kind "boot"`;
  if (/^@every\b/i.test(name)) return `${quote(name)} is not a cron expression; make a schedule of kind "interval"`;
  return `${quote(name)} is not one of ${[...nicknames.keys()].join(" ")}`;
}

function explainCount(count: number, expression: string): string {
  const found = `found ${count} ${count === 1 ? "field" : "fields"} in ${quote(expression)}`;
  const tooMany = count > 6 ? "; a year or a command is not part of an expression" : "";
  const order = "minute, hour, day of month, month, day of week";
  return `${found}${tooMany}; write 5 (${order}) or 6 with the second first; for example ${cronFields[1]!.example}`;
}

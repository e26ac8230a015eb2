import type { CronFieldName } from "./cron-error.ts";
import { quote } from "./quote.ts";

export interface CronField {
  readonly name: CronFieldName;
  readonly min: number;
  readonly max: number;
  /** Names for `min`, `min + 1` and so on. */
  readonly names: readonly string[];
  readonly example: string;
}

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

export const cronFields: readonly CronField[] = [
  { name: "second", min: 0, max: 59, names: [], example: `"30 0 3 * * *" runs daily at 03:00:30` },
  { name: "minute", min: 0, max: 59, names: [], example: `"0 3 * * *" runs daily at 03:00` },
  { name: "hour", min: 0, max: 23, names: [], example: `"0 3,15 * * *" runs daily at 03:00 and 15:00` },
  { name: "day_of_month", min: 1, max: 31, names: [], example: `"0 3 1,L * *" runs on the first and last of a month` },
  { name: "month", min: 1, max: 12, names: monthNames, example: `"0 3 1 jan,jul *" runs on 1 January and 1 July` },
  { name: "day_of_week", min: 0, max: 7, names: dayNames, example: `"0 3 * * mon-fri" runs from Monday to Friday` },
];

/** The fault of one field; the caller adds the expression. */
export class CronFault extends Error {
  /** What to do, if the field's example is not enough. */
  readonly advice: string | null;

  constructor(message: string, advice: string | null = null) {
    super(message);
    this.advice = advice;
  }
}

/**
 * Checks one field and rewrites it so that the library reads it as vixie cron does: numbers for names, `*` for `?`,
 * `5-59/15` for `5/15`, and `22,23,0,1` for `22-1`. The library alone would accept `0-61/40`, and would read `sun-sun`
 * as the whole week. `L-3` stays, because the caller replaces it.
 */
export function normalizeField(field: CronField, text: string): string {
  const parts = text.split(",").flatMap((part) => normalizePart(field, part));
  if (parts.length > 1 && parts.includes("LW")) throw new CronFault("LW cannot be part of a list");
  return parts.join(",");
}

function normalizePart(field: CronField, part: string): readonly string[] {
  if (part === "") throw new CronFault("a value is missing next to a comma");
  if (part.includes("~") || /^h(?:[(/]|$)/i.test(part)) {
    throw new CronFault(
      `${quote(part)} is a random value, which is not supported`,
      "write a number, and use `jitter` to start at a random time after it",
    );
  }
  return normalizeDayPart(field, part) ?? normalizeStep(field, part);
}

/** Reads the forms that only the day fields have: `L`, `L-3`, `LW`, `15W`; `friL`, `fri#2`, `fri#L`. */
function normalizeDayPart(field: CronField, part: string): readonly string[] | null {
  if (field.name === "day_of_month") return normalizeMonthDay(field, part.toUpperCase(), part);
  if (field.name !== "day_of_week") return null;
  const nth = /^([^#*?/]+?)(?:#(.*)|L)$/i.exec(part);
  if (nth === null) return null;
  const [, days = "", ordinal = "L"] = nth;
  if (!/^[1-5L]$/i.test(ordinal)) throw new CronFault(`${quote(part)} must end in #1 to #5 or #L`);
  return writeRange(field, readRange(field, days, part)).map((day) => `${day}#${ordinal.toUpperCase()}`);
}

function normalizeMonthDay(field: CronField, upper: string, part: string): readonly string[] | null {
  if (upper === "L" || upper === "LW") return [upper];
  const daysBeforeLast = /^L-(\d+)$/.exec(upper)?.[1];
  if (daysBeforeLast !== undefined) {
    const days = Number(daysBeforeLast);
    if (days >= 1 && days <= 30) return [`L-${days}`];
    throw new CronFault(`${quote(part)} is not one of L-1 to L-30 (L is the last day)`);
  }
  return /^\d+W$/.test(upper) ? [`${readValue(field, upper.slice(0, -1), part)}W`] : null;
}

function normalizeStep(field: CronField, part: string): readonly string[] {
  const [range = "", step, ...rest] = part.split("/");
  if (step === undefined) return writeRange(field, readRange(field, range, part));
  if (/^\/\d+$/.test(part)) throw new CronFault(`${quote(part)} has no start: write ${quote(`*${part}`)}`);
  const stepMax = sizeOf(field);
  if (rest.length > 0 || !/^\d+$/.test(step) || Number(step) < 1 || Number(step) > stepMax) {
    throw new CronFault(`the step of ${quote(part)} is not a number from 1 to ${stepMax}`, adviseInterval(field, part));
  }
  return writeRange(field, readRange(field, range, part), Number(step));
}

const units = { second: "s", minute: "m", hour: "h", day_of_month: "d", month: null, day_of_week: null } as const;

/** The interval that a step longer than its field was meant to be; null for other steps. */
function adviseInterval({ name }: CronField, part: string): string | null {
  const length = /^\*\/0*([1-9]\d{0,4})$/.exec(part)?.[1];
  const unit = units[name];
  // the command line replaces the member with its own option
  return length === undefined || unit === null ? null : `for a fixed interval, use \`every: "${length}${unit}"\``;
}

interface Range {
  readonly from: number;
  /** Null for a single value. */
  readonly to: number | null;
}

/** Reads a range; returns null for the whole field. */
function readRange(field: CronField, range: string, part: string): Range | null {
  if (range === "*" || range === "?") return null;
  const [from = "", to, ...rest] = range.split("-");
  if (rest.length > 0) throw new CronFault(`${quote(part)} is not a range`);
  return { from: readValue(field, from, part), to: to === undefined ? null : readValue(field, to, part) };
}

function writeRange(field: CronField, range: Range | null, step: number | null = null): readonly string[] {
  const suffix = step === null ? "" : `/${step}`;
  if (range === null) return [`*${suffix}`];
  const { from, to } = range;
  if (to === null) return [step === null ? `${from}` : `${from}-${field.max}${suffix}`];
  return from <= to ? [`${from}-${to}${suffix}`] : wrappedValues(field, { from, to }, step ?? 1).map(String);
}

/**
 * Lists the values of a range that ends before it begins. It continues at the start of the field: `22-2` in steps of 2
 * is 22, 0 and 2.
 */
function wrappedValues(
  field: CronField,
  { from, to }: { readonly from: number; readonly to: number },
  step: number,
): readonly number[] {
  const size = sizeOf(field);
  const length = to + size - from;
  return Array.from(
    { length: Math.floor(length / step) + 1 },
    (_, index) => field.min + ((from - field.min + index * step) % size),
  );
}

/** Counts the values of a field; Sunday is both 0 and 7. */
function sizeOf(field: CronField): number {
  return field.name === "day_of_week" ? 7 : field.max - field.min + 1;
}

function readValue(field: CronField, text: string, part: string): number {
  const name = field.names.indexOf(text.toLowerCase());
  if (name >= 0) return field.min + name;
  if (!/^\d{1,4}$/.test(text)) throw new CronFault(explainValue(field, text, part));
  const value = Number(text);
  if (value < field.min || value > field.max) {
    throw new CronFault(`${value} is not a number from ${field.min} to ${field.max}`);
  }
  return value;
}

function explainValue(field: CronField, text: string, part: string): string {
  const within = text === part ? "" : ` in ${quote(part)}`;
  if (/^(\d*[LW]|[a-z]{3}L)$/i.test(text) || part.includes("#")) {
    const meaning =
      "L, W and # work only in the day fields: write L, L-3, LW or 15W in day of month, or friL or fri#2 in day of week";
    return `${quote(text)}${within} is not supported here. ${meaning}`;
  }
  const number = `a number from ${field.min} to ${field.max}`;
  const known =
    field.names.length === 0
      ? `not ${number}`
      : `neither ${number} nor a name from ${field.names[0]} to ${field.names.at(-1)}`;
  return `${quote(text)}${within} is ${known}`;
}

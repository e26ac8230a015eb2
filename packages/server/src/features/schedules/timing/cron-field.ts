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

/** What is wrong with a field; the caller knows the expression around it. */
export class CronFault extends Error {}

/**
 * Checks one field and writes it in the form that the library reads as vixie cron means it: numbers for names, `*` for
 * `?`, and `5-59/15` for `5/15`. The library alone would take `0-61/40` and read `sun-sun` as the whole week.
 */
export function normalizeField(field: CronField, text: string): string {
  const parts = text.split(",").map((part) => normalizePart(field, part));
  if (parts.length > 1 && parts.includes("LW")) throw new CronFault("LW cannot be one of a list");
  return parts.join(",");
}

function normalizePart(field: CronField, part: string): string {
  if (part === "") throw new CronFault("a value is missing beside a comma");
  return normalizeDayPart(field, part) ?? normalizeStep(field, part);
}

/** The forms that only the day fields know: `L`, `LW`, `15W`; `friL`, `fri#2`, `fri#L`. */
function normalizeDayPart(field: CronField, part: string): string | null {
  const upper = part.toUpperCase();
  if (field.name === "day_of_month") {
    if (upper === "L" || upper === "LW") return upper;
    return /^\d+W$/.test(upper) ? `${normalizeRange(field, upper.slice(0, -1), part)}W` : null;
  }
  if (field.name !== "day_of_week") return null;
  const nth = /^([^#*?/]+?)(?:#(.*)|L)$/i.exec(part);
  if (nth === null) return null;
  const [, days = "", ordinal = "L"] = nth;
  if (!/^[1-5L]$/i.test(ordinal)) throw new CronFault(`${quote(part)} does not end in #1 to #5 or #L`);
  return `${normalizeRange(field, days, part)}#${ordinal.toUpperCase()}`;
}

function normalizeStep(field: CronField, part: string): string {
  const [range = "", step, ...rest] = part.split("/");
  if (step === undefined) return normalizeRange(field, range, part);
  if (/^\/\d+$/.test(part)) throw new CronFault(`${quote(part)} has no start (write ${quote(`*${part}`)})`);
  const stepMax = (field.name === "day_of_week" ? 6 : field.max) - field.min + 1;
  if (rest.length > 0 || !/^\d+$/.test(step) || Number(step) < 1 || Number(step) > stepMax) {
    throw new CronFault(`the step of ${quote(part)} is not a number between 1 and ${stepMax}`);
  }
  const values = normalizeRange(field, range, part);
  return /^\d+$/.test(values) ? `${values}-${field.max}/${Number(step)}` : `${values}/${Number(step)}`;
}

function normalizeRange(field: CronField, range: string, part: string): string {
  if (range === "*" || range === "?") return "*";
  const [fromText = "", toText, ...rest] = range.split("-");
  if (rest.length > 0) throw new CronFault(`${quote(part)} is not a range`);
  const from = readValue(field, fromText, part);
  if (toText === undefined) return String(from);
  const to = readValue(field, toText, part);
  // A week may end on Sunday: fri-sun is 5-7. Written as a number, 0 is its start.
  if (to === 0 && from > 0 && !/\d/.test(toText)) return `${from}-7`;
  if (from > to) {
    throw new CronFault(`the range ${quote(range)} runs backwards (write "${splitRange(field, fromText, toText)}")`);
  }
  return `${from}-${to}`;
}

/** `22-2` as two ranges: `22-23,0-2`. A week is written from Monday to 7. */
function splitRange(field: CronField, from: string, to: string): string {
  if (field.name !== "day_of_week") return `${from}-${field.max},${field.min}-${to}`;
  return to === "0" ? `${from}-7` : `${from}-7,1-${to}`;
}

function readValue(field: CronField, text: string, part: string): number {
  const name = field.names.indexOf(text.toLowerCase());
  if (name >= 0) return field.min + name;
  if (!/^\d{1,4}$/.test(text)) throw new CronFault(explainValue(field, text, part));
  const value = Number(text);
  if (value < field.min || value > field.max) {
    throw new CronFault(`${value} is not between ${field.min} and ${field.max}`);
  }
  return value;
}

function explainValue(field: CronField, text: string, part: string): string {
  const within = text === part ? "" : ` in ${quote(part)}`;
  if (/^(\d*[LW]|[a-z]{3}L)$/i.test(text) || part.includes("#")) {
    const meaning = "L, W and # are for days: L, LW or 15W of a month, friL or fri#2 of a week";
    return `${quote(text)}${within} is not understood; ${meaning}`;
  }
  const names = field.names.length === 0 ? "" : `, nor one of ${field.names[0]}-${field.names.at(-1)}`;
  return `${quote(text)}${within} is not a number between ${field.min} and ${field.max}${names}`;
}

/** One of the five times of a job, as cron reads it. */
export interface TimeField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** How many different values it has: 0 and 7 are the same day. */
  readonly size: number;
  /** Names for `min`, `min + 1` and so on. */
  readonly names: readonly string[];
}

/** Why cron or Belfry refuses a time, as a sentence for the person who wrote it. */
export class TimeFieldError extends Error {}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

export const timeFields: readonly TimeField[] = [
  { name: "minute", min: 0, max: 59, size: 60, names: [] },
  { name: "hour", min: 0, max: 23, size: 24, names: [] },
  { name: "day of the month", min: 1, max: 31, size: 31, names: [] },
  { name: "month", min: 1, max: 12, size: 12, names: months },
  { name: "day of the week", min: 0, max: 7, size: 7, names: days },
];

/** As much of an element as cron reads: it skips the rest of the field, also further elements, without an error. */
const element = /^(\*|[a-z\d]+(?:-[a-z\d]+)?)(?:\/([a-z\d]+))?/i;

/** The field as Belfry's schedules take it. Stricter than cron only where cron reads something else than is written. */
export function readTimeField(field: TimeField, text: string): string {
  const elements: string[] = [];
  for (let rest = text; ; rest = rest.slice(1)) {
    const match = element.exec(rest);
    if (match === null) throw new TimeFieldError(explainMissing(field, text));
    const [read, range = "", step] = match;
    elements.push(readElement(field, read, { range, step }));
    rest = rest.slice(read.length);
    if (rest === "") return elements.join(",");
    if (!rest.startsWith(",")) throw new TimeFieldError(explainRest(field, text, { read, rest }));
  }
}

interface Element {
  readonly range: string;
  readonly step: string | undefined;
}

function readElement(field: TimeField, text: string, { range, step }: Element): string {
  const [low = "", high] = range.split("-").map((value) => shorten(value));
  const from = low === "*" ? field.min : readValue(field, low);
  const to = low === "*" ? field.max : high === undefined ? from : readValue(field, high);
  if (from > to) {
    const corrected = splitBackwards(field, from, to);
    throw new TimeFieldError(`cron never runs a range that goes backwards, such as ${range}. Write ${corrected}`);
  }
  const values = high === undefined ? low : `${low}-${high}`;
  if (step === undefined) return values;
  if (low !== "*" && high === undefined)
    throw new TimeFieldError(
      `in ${JSON.stringify(text)} a step follows a single value, which cron refuses. Write ${low}-${field.max}/${step}`,
    );
  return `${values}/${Math.min(readStep(text, step), field.size)}`;
}

/** cron reads any number of zeros: `007` is `07`. */
function shorten(value: string): string {
  return value.replace(/^0+(?=\d\d)/, "");
}

function readValue(field: TimeField, text: string): number {
  const name = field.names.indexOf(text.toLowerCase());
  if (name >= 0) return field.min + name;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= field.min && value <= field.max) return value;
  throw new TimeFieldError(explainValue(field, text));
}

/** Beyond nine digits cron's numbers overflow, and some of them come out as a step after all. */
function readStep(text: string, step: string): number {
  const value = /^0*\d{1,9}$/.test(step) ? Number(step) : 0;
  if (value >= 1) return value;
  throw new TimeFieldError(`the step of ${JSON.stringify(text)} is not a number from 1 to 999999999`);
}

/** `22-2` as two ranges: `22-23,0-2`. */
function splitBackwards(field: TimeField, from: number, to: number): string {
  const isWeek = field.max === field.size;
  const end = span(from, field.max);
  return isWeek && to === 0 ? end : `${end},${span(isWeek ? 1 : field.min, to)}`;
}

function span(from: number, to: number): string {
  return from === to ? String(from) : `${from}-${to}`;
}

function explainMissing(field: TimeField, text: string): string {
  if (text.includes(",")) return `a value is missing beside a comma in ${JSON.stringify(text)}`;
  return explainValue(field, text);
}

function explainValue({ name, min, max, names }: TimeField, text: string): string {
  const word = /^\d+$/.test(text) ? text : JSON.stringify(text);
  const orNames = names.length === 0 ? "" : ` or ${names[0]} to ${names.at(-1)}`;
  return `${word} is not a valid ${name}: use ${min} to ${max}${orNames}`;
}

function explainRest(field: TimeField, text: string, { read, rest }: { read: string; rest: string }): string {
  if (/~\d*$/.test(text))
    return `${JSON.stringify(text)} is a random ${field.name} in cronie, and ${read} in Debian's cron. Write a fixed one, or add the task with --jitter`;
  if (rest.startsWith("-") && !read.includes("-") && read !== "*")
    return `the range ${JSON.stringify(text)} has no end`;
  if (rest.startsWith("/") && !read.includes("/")) return `the step of ${JSON.stringify(text)} is not a number`;
  return `cron reads only ${JSON.stringify(read)} of the ${field.name} ${JSON.stringify(text)}. Write that, or add the task with --cron`;
}

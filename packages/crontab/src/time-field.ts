/** One of the five time fields of a job. */
export interface TimeField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Number of different values: 0 and 7 are the same day. */
  readonly size: number;
  /** Names of the values, from `min` on. */
  readonly names: readonly string[];
}

/** The reason why cron or Belfry rejects a time field. */
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

/** The part of an element that cron reads. It silently skips the rest of the field, including further elements. */
const element = /^(\*|[a-z\d]+(?:-[a-z\d]+)?)(?:\/([a-z\d]+))?/i;

/** Converts a field for Belfry's cron expressions. Stricter than cron only if cron misreads the field. */
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

/** Whether a step is longer than the field, so that the longest one replaces it. Only of a field that could be read. */
export function hasCutStep(field: TimeField, text: string): boolean {
  return [...text.matchAll(/\/(\d+)/g)].some(([, step]) => Number(step) > field.size);
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
    throw new TimeFieldError(`the range ${range} goes backwards, so cron would never run the job. Write ${corrected}`);
  }
  const values = high === undefined ? low : `${low}-${high}`;
  if (step === undefined) return values;
  if (low !== "*" && high === undefined)
    throw new TimeFieldError(
      `${JSON.stringify(text)} has a step after a single value, which cron rejects. Write ${low}-${field.max}/${step}`,
    );
  return `${values}/${Math.min(readStep(text, step), field.size)}`;
}

/** cron allows any number of leading zeros: `007` is `07`. */
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

/** cron's numbers overflow beyond nine digits, and some results happen to be valid steps. */
function readStep(text: string, step: string): number {
  const value = /^0*\d{1,9}$/.test(step) ? Number(step) : 0;
  if (value >= 1) return value;
  throw new TimeFieldError(`invalid step in ${JSON.stringify(text)}. Use a number from 1 to 999999999`);
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
  if (text.includes(","))
    return `a value is missing next to a comma in ${JSON.stringify(text)}. Add the value, or remove the comma`;
  return explainValue(field, text);
}

function explainValue({ name, min, max, names }: TimeField, text: string): string {
  const word = /^\d+$/.test(text) ? text : JSON.stringify(text);
  const orNames = names.length === 0 ? "" : ` or ${names[0]} to ${names.at(-1)}`;
  return `${word} is not a valid ${name}. Use ${min} to ${max}${orNames}`;
}

function explainRest(field: TimeField, text: string, { read, rest }: { read: string; rest: string }): string {
  if (/~\d*$/.test(text))
    return `${JSON.stringify(text)} means a random ${field.name} in cronie, but ${read} in Debian's cron. Write a fixed value, or add the task with: belfry task add --jitter`;
  if (rest.startsWith("-") && !read.includes("-") && read !== "*")
    return `the range ${JSON.stringify(text)} has no end. Write a range such as ${read}-${field.max}`;
  if (rest.startsWith("/") && !read.includes("/"))
    return `the step in ${JSON.stringify(text)} is not a number. Write a number after the slash`;
  const kept = JSON.stringify(text.slice(0, text.length - rest.length));
  return `cron reads only ${kept} of the ${field.name} ${JSON.stringify(text)}. Write ${kept} to keep what cron does, or add the task with what was meant: belfry task add --cron`;
}

import type { JobLine } from "./lines.ts";
import { timeFields } from "./time-field.ts";

/** Warns of a job that cron runs too, but most likely not as its author meant. */
export function warnOfJob(line: JobLine, userWords: ReadonlyMap<number, string>): readonly string[] {
  const user = userWords.get(line.number);
  return [
    ...(line.time.kind === "cron" ? warnOfSteps(line.number, line.time.expression) : []),
    ...(user === undefined
      ? []
      : [
          `the command in line ${line.number} starts with the user ${user}, as in a system crontab, so its runs would fail for want of a program ${user}. Remove the word from the line, or import the line from a file of its own with --system`,
        ]),
  ];
}

/** cron counts steps from the start of each hour or day, so a longer one begins again before it is over. */
function warnOfSteps(number: number, expression: string): readonly string[] {
  if (expression.startsWith("@")) return [];
  return expression.split(" ").flatMap((text, index) => {
    const field = timeFields[index]!;
    const isTooLong = text.split(",").some((part) => {
      const step = /^\*\/(\d+)$/.exec(part)?.[1];
      return step !== undefined && Number(step) >= field.size;
    });
    return isTooLong
      ? [
          `the step of the ${field.name} in line ${number} is ${field.size} or more, so the job runs only at ${field.name} ${field.min}, as under cron. For a fixed interval, add a schedule with: belfry schedule add <task> --every <duration>`,
        ]
      : [];
  });
}

import { fc } from "@belfry/test-kit/properties";
import { describe, expect, it } from "vitest";
import { parseCron } from "./cron.ts";
import { CronError } from "./cron-error.ts";

function refusal(expression: string): CronError {
  try {
    parseCron(expression);
  } catch (error) {
    if (error instanceof CronError) return error;
    throw error;
  }
  throw new Error(`${expression} was accepted`);
}

const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

describe("the fields of an expression", () => {
  it.each([
    ["*", range(0, 59)],
    ["?", range(0, 59)],
    ["7", [7]],
    ["007", [7]],
    ["1,5,9", [1, 5, 9]],
    ["10-13", [10, 11, 12, 13]],
    ["*/15", [0, 15, 30, 45]],
    ["?/15", [0, 15, 30, 45]],
    ["*/60", [0]],
    ["5/15", [5, 20, 35, 50]],
    ["58/1", [58, 59]],
    ["10-30/10", [10, 20, 30]],
    ["1-3,2-4,50/5", [1, 2, 3, 4, 50, 55]],
    ["5,*", range(0, 59)],
  ])("minutes %s", (text, minutes) => {
    expect(parseCron(`${text} * * * *`).minutes).toEqual(minutes);
  });

  it("reads a leading field as seconds, and second 0 without one", () => {
    expect(parseCron("*/20 0 3 * * *")).toMatchObject({ seconds: [0, 20, 40], minutes: [0], hours: [3] });
    expect(parseCron("0 3 * * *")).toMatchObject({ seconds: [0], minutes: [0], hours: [3] });
  });

  it.each([
    ["jan", [0]],
    ["JAN-mar,Dec", [0, 1, 2, 11]],
    ["10/1", [9, 10, 11]],
    ["feb/5", [1, 6, 11]],
    ["nov-feb", [0, 1, 10, 11]],
    ["11-2/2", [0, 10]],
  ])("months %s", (text, months) => {
    expect([...parseCron(`0 0 1 ${text} *`).months]).toEqual(months);
  });

  it.each([
    ["22-6", [0, 1, 2, 3, 4, 5, 6, 22, 23]],
    ["22-6/2", [0, 2, 4, 6, 22]],
    ["23-0", [0, 23]],
    ["20-1/3,12", [12, 20, 23]],
    ["1-0", range(0, 23)],
  ])("hours %s, past midnight", (text, hours) => {
    expect(parseCron(`0 ${text} * * *`).hours).toEqual(hours);
  });

  it.each([
    ["@hourly", "0 * * * *"],
    ["@daily", "0 0 * * *"],
    ["@Midnight", "0 0 * * *"],
    ["@weekly", "0 0 * * sun"],
    ["@monthly", "0 0 1 * *"],
    ["@yearly", "0 0 1 1 *"],
    ["@noon", "0 12 * * *"],
    [" @annually ", "0 0 1 1 *"],
    ["  0\t3  * * *\n", "0 3 * * *"],
  ])("%j means %s", (name, expression) => {
    expect(parseCron(name)).toEqual(parseCron(expression));
  });

  it.each([
    ["0 * * * *", true],
    ["0 */2 * * *", true],
    ["0 ? * * *", true],
    ["0 *,5 * * *", true],
    ["0 0-23 * * *", false],
    ["0 1-0 * * *", false],
    ["* 3 * * *", false],
    ["* * 3 * * *", false],
    ["3 0 * * * *", true],
  ])("whether the hour of %s is a wildcard: %s", (expression, isWild) => {
    expect(parseCron(expression).isHourWild).toBe(isWild);
  });
});

describe("refusals", () => {
  const minuteExample = `for example "0 3 * * *" runs daily at 03:00`;

  it.each([
    ["61 * * * *", "minute", `61 is not a number from 0 to 59; ${minuteExample}`],
    ["0-61/40 * * * *", "minute", `61 is not a number from 0 to 59; ${minuteExample}`],
    ["70 0 3 * * *", "second", "70 is not a number from 0 to 59"],
    ["0 24 * * *", "hour", "24 is not a number from 0 to 23"],
    ["0 3 0 * *", "day_of_month", "0 is not a number from 1 to 31"],
    ["0 3 32W * *", "day_of_month", "32 is not a number from 1 to 31"],
    ["0 3 * 13 *", "month", "13 is not a number from 1 to 12"],
    ["0 3 * * 8", "day_of_week", "8 is not a number from 0 to 7"],
    ["0 3 * january *", "month", `"january" is neither a number from 1 to 12 nor a name from jan to dec`],
    ["0 3 * april *", "month", `"april" is neither a number`],
    ["0 3 * mon *", "month", `"mon" is neither a number`],
    ["0 3 * * friday", "day_of_week", `"friday" is neither a number from 0 to 7 nor a name from sun to sat`],
    ["x * * * *", "minute", `"x" is not a number from 0 to 59`],
    ["1,x-5 * * * *", "minute", `"x" in "x-5" is not a number from 0 to 59`],
    ["-5 * * * *", "minute", `"" in "-5" is not a number`],
    ["1- * * * *", "minute", `"" in "1-" is not a number`],
    ["1.5 * * * *", "minute", `"1.5" is not a number`],
    ["*5 * * * *", "minute", `"*5" is not a number`],
    ["٣ * * * *", "minute", `"٣" is not a number`],
    ["00000000003 * * * *", "minute", `"00000000003" is not a number`],
    ["1,,2 * * * *", "minute", "a value is missing next to a comma"],
    ["1, * * * *", "minute", "a value is missing next to a comma"],
    ["1-2-3 * * * *", "minute", `"1-2-3" is not a range`],
    ["/5 * * * *", "minute", `"/5" has no start: write "*/5"`],
    ["*/0 * * * *", "minute", `the step of "*/0" is not a number from 1 to 60`],
    ["*/61 * * * *", "minute", `the step of "*/61" is not a number from 1 to 60`],
    ["*/ * * * *", "minute", `the step of "*/" is not a number from 1 to 60`],
    ["1/2/3 * * * *", "minute", `the step of "1/2/3" is not a number from 1 to 60`],
    ["0 */25 * * *", "hour", `the step of "*/25" is not a number from 1 to 24`],
    ["0 0 * * 1/8", "day_of_week", `the step of "1/8" is not a number from 1 to 7`],
    [
      "L * * * *",
      "minute",
      `"L" is not supported here. L, W and # work only in the day fields: write L, L-3, LW or 15W in day of month`,
    ],
    ["0 0 L-0 * *", "day_of_month", `"L-0" is not one of L-1 to L-30 (L is the last day)`],
    ["0 0 L-31 * *", "day_of_month", `"L-31" is not one of L-1 to L-30`],
    ["0 0 L-3W * *", "day_of_month", `"L" in "L-3W" is not supported here`],
    ["0 0 3-L * *", "day_of_month", `"L" in "3-L" is not supported here`],
    ["0 0 * * L-3", "day_of_week", `"L" in "L-3" is not supported here`],
    ["0 0 5L * *", "day_of_month", `"5L" is not supported here`],
    ["0 0 W * *", "day_of_month", `"W" is not supported here`],
    ["0 0 LW,15 * *", "day_of_month", "LW cannot be part of a list"],
    ["0 0 * * L", "day_of_week", `"L" is not supported here`],
    ["0 0 * * 15W", "day_of_week", `"15W" is not supported here`],
    ["0 0 * * fri#6", "day_of_week", `"fri#6" must end in #1 to #5 or #L`],
    ["0 0 * * fri#", "day_of_week", `"fri#" must end in #1 to #5 or #L`],
    ["0 0 * * ?#1", "day_of_week", `"?#1" is not supported here`],
    ["0 0 * * ?L", "day_of_week", `"?L" is neither a number`],
    ["0 0 * * *#1", "day_of_week", `"*#1" is not supported here`],
    ["0 0 * * +5", "day_of_week", `"+5" is neither a number`],
    ["", "expression", `"" has 0 fields: write 5 (minute, hour, day of month, month, day of week)`],
    ["0 3 * *", "expression", `"0 3 * *" has 4 fields: write 5 (`],
    ["teatime", "expression", `"teatime" has 1 field: write 5 (`],
    ["hourly", "expression", `"hourly" is not a cron expression: use \`expression: "@hourly"\``],
    [
      "*-*-* 02:00:00",
      "expression",
      `"*-*-* 02:00:00" has the form of OnCalendar in systemd, not of a cron expression: use \`expression: "0 2 * * *"\`; docs/from-systemd-timers.md has the other forms`,
    ],
    [
      "Mon..Fri 08:05",
      "expression",
      `"Mon..Fri 08:05" has the form of OnCalendar in systemd, not of a cron expression: write 5 fields (minute,`,
    ],
    ["*:0/15", "expression", `"*:0/15" has the form of OnCalendar in systemd`],
    ["0 3 1-5", "expression", `"0 3 1-5" has 3 fields: write 5 (`],
    [
      "*/90 * * * *",
      "minute",
      'the step of "*/90" is not a number from 1 to 60; for a fixed interval, use `every: "90m"`',
    ],
    [
      "0 */36 * * *",
      "hour",
      'the step of "*/36" is not a number from 1 to 24; for a fixed interval, use `every: "36h"`',
    ],
    ["0 0 3 * * * 2030", "expression", `"0 0 3 * * * 2030" has 7 fields, and a year or a command is not part of`],
    ["0 3 * * * /bin/backup --all", "expression", `"0 3 * * * /bin/backup --all" has 7 fields`],
    ["@reboot", "expression", `"@reboot" is not a time of day: use \`kind: "boot"\``],
    ["@every 5m", "expression", `"@every 5m" is an interval, not a cron expression: use \`every: "5m"\``],
    ["@every 1h30m", "expression", `"@every 1h30m" is an interval, not a cron expression: use \`every: "90m"\``],
    ["@every 1.5h", "expression", `"@every 1.5h" is an interval, not a cron expression: use \`every: "90m"\``],
    ["@every 10ms", "expression", `"@every 10ms" is an interval, not a cron expression: use \`every: "5m"\``],
    ["@EVERY", "expression", `"@EVERY" is an interval, not a cron expression: use \`every: "5m"\``],
    ["@every tuesday", "expression", `"@every tuesday" is an interval, not a cron expression: use \`every: "5m"\``],
    ["@tea", "expression", `"@tea" is not one of @hourly @daily @midnight @noon @weekly @monthly @yearly @annually`],
    [
      "CRON_TZ=Europe/Berlin 0 3 * * *",
      "expression",
      '"CRON_TZ=Europe/Berlin 0 3 * * *" must not contain a time zone: use `time_zone: "Europe/Berlin"` with `expression: "0 3 * * *"`',
    ],
    [
      `TZ="Asia/Tokyo"  @daily`,
      "expression",
      '"TZ=\\"Asia/Tokyo\\"  @daily" must not contain a time zone: use `time_zone: "Asia/Tokyo"` with `expression: "@daily"`',
    ],
    ["TZ=UTC", "expression", '"TZ=UTC" must not contain a time zone: use `time_zone: "UTC"`'],
    ["tz=", "expression", '"tz=" must not contain a time zone: use `time_zone`'],
    ["H * * * *", "minute", `"H" is a random value, which is not supported; write a number, and use \`jitter\``],
    ["0 h/4 * * *", "hour", `"h/4" is a random value, which is not supported; write a number, and use \`jitter\``],
    ["H(0-29)/10 * * * *", "minute", `"H(0-29)/10" is a random value, which is not supported`],
    ["0~30 3 * * *", "minute", `"0~30" is a random value, which is not supported`],
    ["5,~ * * * *", "minute", `"~" is a random value, which is not supported`],
  ])("%j is refused in %s", (expression, fieldName, message) => {
    const error = refusal(expression);
    expect(error).toMatchObject({ fieldName, reason: "syntax" });
    const field =
      fieldName === "expression"
        ? ""
        : `${JSON.stringify(expression)} has an invalid ${fieldName.replaceAll("_", " ")}: `;
    expect(error.message.slice(0, field.length + message.length)).toBe(field + message);
  });

  it("every example in a message is itself accepted", () => {
    const wrong = [
      "x 0 0 1 1 1",
      "0 x 0 1 1 1",
      "0 0 x 1 1 1",
      "0 0 0 x 1 1",
      "0 0 0 1 x 1",
      "0 0 0 1 1 x",
      "x",
      "0 0 30 2 *",
    ];
    const examples = wrong.map((expression) => /for example "([^"]+)"/.exec(refusal(expression).message)![1]!);
    expect(new Set(examples).size).toBe(7);
    for (const example of examples) expect(parseCron(example).hours).toContain(3);
  });

  it("quotes only the beginning of a very long text", () => {
    expect(refusal(`${"9".repeat(100_000)} * * * *`).message.length).toBeLessThan(500);
  });

  it("an expression that passes our checks also passes the library's, so every error is a CronError", () => {
    const piece = fc.constantFrom(
      ..."*?,-/#LW0123456789",
      "5",
      "12",
      "mon",
      "sun",
      "jan",
      "L",
      "LW",
      "15W",
      "/2",
      "#3",
      "-",
    );
    const field = fc.oneof(
      fc.constant("*"),
      fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join("")),
    );
    let accepted = 0;
    const check = fc.property(fc.nat(5), field, (index, text) => {
      const fields = ["0", "0", "0", "*", "*", "*"].with(index, text);
      try {
        parseCron(fields.join(" "));
        accepted += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(CronError);
      }
    });
    fc.assert(check, { numRuns: 5_000 });
    expect(accepted).toBeGreaterThan(500);
  });
});

describe("expressions that never match", () => {
  it.each(["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 31W 6 *", "0 0 30-31 feb *", "0 0 */30 2 1#5"])(
    "%s is refused",
    (expression) => {
      expect(refusal(expression)).toMatchObject({ fieldName: "expression", reason: "never" });
    },
  );

  it.each([
    "0 0 29 2 *",
    "0 0 29 2 */7",
    "0 0 */28 2 mon#5",
    "0 0 29W 2 *",
    "0 0 31 1-2 *",
    "0 0 30 2 5",
    "0 0 */31 12 0",
  ])("%s is accepted, because its day is rare but exists", (expression) => {
    expect(() => parseCron(expression)).not.toThrow();
  });
});

import { describe, expect, it } from "vitest";
import { firstDayOfMonth } from "./civil-date.ts";
import { parseCron } from "./cron.ts";
import { matchingDays } from "./matching-days.ts";

/** The days of a month that `day-of-month month day-of-week` name. */
function daysOf(dayFields: string, year: number, month: number): number[] {
  const days = matchingDays(parseCron(`0 0 ${dayFields}`));
  const first = firstDayOfMonth(year * 12 + month - 1);
  const next = firstDayOfMonth(year * 12 + month);
  return Array.from({ length: next - first }, (_, index) => index + 1).filter((day) => days.has(first + day - 1));
}

const all = Array.from({ length: 31 }, (_, index) => index + 1);
const sundays = [1, 8, 15, 22, 29];
const fridays = [6, 13, 20, 27];
const saturdays = [7, 14, 21, 28];
const union = (...lists: number[][]): number[] => [...new Set(lists.flat())].sort((one, other) => one - other);

/** March 2026 begins on a Sunday. */
describe("vixie cron's day rule, in March 2026", () => {
  it.each([
    ["neither is restricted", "* * *", all],
    ["neither is restricted", "? * ?", all],
    ["only the month's", "13 * *", [13]],
    ["only the month's", "1-3,30 * ?", [1, 2, 3, 30]],
    ["only the week's", "* * 5", fridays],
    ["only the week's", "? * fri", fridays],
    ["only the week's, a range over its end", "* * fri-sun", union(fridays, saturdays, sundays)],
    ["only the week's, over its end", "* * fri-mon", union(fridays, saturdays, sundays, [2, 9, 16, 23, 30])],
    ["only the week's, over its end in steps", "* * fri-mon/2", union(fridays, sundays)],
    ["only the week's, numbers over its end", "* * 5-0", union(fridays, saturdays, sundays)],
    ["a week from 7 begins with Sunday", "* * 7-1", union(sundays, [2, 9, 16, 23, 30])],
    ["the nth of some weekdays, over the week's end", "* * sat-sun#2", [8, 14]],
    ["only the month's, over its end", "30-2 * *", [1, 2, 30, 31]],
    ["0 and 7 are Sunday", "* * 0", sundays],
    ["0 and 7 are Sunday", "* * 7", sundays],
    ["both: either matches", "13 * 5", fridays],
    ["both: either matches", "2 * 5", union([2], fridays)],
    ["both: either matches", "1,15 * 0", sundays],
    ["both: either matches", "1-7 * 1", [1, 2, 3, 4, 5, 6, 7, 9, 16, 23, 30]],
    ["both: a full range is a restriction, and matches always", "13 * 0-6", all],
    ["both: a full range is a restriction, and matches always", "1-31 * 5", all],
    ["both: a start with a step is a restriction", "1/10 * 5", union([1, 11, 21, 31], fridays)],
    ["a star in the month's: both match", "*/10 * 0", [1]],
    ["a star in the month's: both match", "*/2 * 5", [13, 27]],
    ["a star in the month's: both match", "?/2 * 5", [13, 27]],
    ["a star in the month's: both match", "*,13 * 5", fridays],
    ["a star in the week's: both match", "13 * */5", [13]],
    ["a star in the week's: both match", "8-14 * */7", [8]],
    ["a star in the week's: both match", "14 * */5", []],
    ["stars in both: both match", "*/10 * */5", [1]],
    ["stars in both: both match", "*/2 * */2", [1, 3, 5, 7, 15, 17, 19, 21, 29, 31]],
    ["a star that does not begin the field: either matches", "13,* * 5", all],
    ["the last day", "L * *", [31]],
    ["days before the last", "L-3 * *", [28]],
    ["days before the last, in a list", "1,L-1,L * *", [1, 30, 31]],
    ["thirty days before the last", "L-30 * *", [1]],
    ["days before the last or a weekday: either matches", "L-1 * 5", union(fridays, [30])],
    ["days before the last and a starred week: both match", "L-1 * */2", []],
    ["days before the last and a starred week: both match", "L-2 * */2", [29]],
    ["days before the last and the nearest working day", "15W,L-3 * *", [16, 28]],
    ["days before the last and the last of a weekday: either matches", "L-3 * friL", [27, 28]],
    ["a star beside the last day does not begin the field: either matches", "L,* * 5", all],
    ["the last day or a weekday: either matches", "L * 5", union(fridays, [31])],
    ["the last day and a starred week: both match", "L * */2", [31]],
    ["the last working day", "LW * *", [31]],
    ["the nearest working day", "15W * *", [16]],
    ["the nearest working day does not leave the month", "1W * *", [2]],
    ["the nearest working day", "7W,L * *", [6, 31]],
    ["the second of a weekday", "* * fri#2", [13]],
    ["the last of a weekday", "* * friL", [27]],
    ["the last of a weekday", "* * 0L,5#L", [27, 29]],
    ["the fifth of a weekday, where there is none", "* * 5#5", []],
    ["a nth weekday or a day: either matches", "2 * fri#2", [2, 13]],
    ["a nth weekday in the first week: both match", "*/31 * 0#1", [1]],
    [
      "a week in steps from Monday ends with Sunday",
      "* * 1/2",
      union([2, 4, 6, 9, 11, 13, 16, 18, 20, 23, 25, 27, 30], sundays),
    ],
    ["a week in steps from Sunday", "* * */3", union(sundays, [4, 11, 18, 25], saturdays)],
    ["a range of one day is that day", "* * sun-sun", sundays],
    ["another month", "* 4 *", []],
  ])("%s: %s", (_, dayFields, expected) => {
    expect(daysOf(dayFields, 2026, 3)).toEqual(expected);
  });
});

describe("months of every shape", () => {
  it.each([
    ["L * *", 2027, 2, [28]],
    ["L * *", 2028, 2, [29]],
    ["L * *", 2100, 2, [28]],
    ["L-3 * *", 2027, 2, [25]],
    ["L-3 * *", 2028, 2, [26]],
    ["L-30 * *", 2027, 2, []],
    ["L-29 * *", 2026, 4, [1]],
    ["L-30 * 5", 2026, 4, [3, 10, 17, 24]],
    ["30-2 * *", 2027, 2, [1, 2]],
    ["LW * *", 2026, 5, [29]],
    ["LW * *", 2026, 2, [27]],
    ["31W * *", 2026, 4, []],
    ["31W * *", 2026, 5, [29]],
    ["1W * *", 2026, 8, [3]],
    ["* * mon#5", 2028, 2, []],
    ["* * tue#5", 2028, 2, [29]],
    ["* * monL", 2028, 2, [28]],
    ["29 2 */7", 2088, 2, [29]],
  ])("%s in %i-%i", (dayFields, year, month, expected) => {
    expect(daysOf(dayFields, year, month)).toEqual(expected);
  });
});

import { expect, test } from "vitest";
import { cronWords } from "./cron-words.ts";

test.each([
  ["* * * * *", "every minute"],
  ["*/15 * * * *", "every 15 minutes"],
  ["5 * * * *", "every hour at minute 5"],
  ["0 */6 * * *", "every 6 hours at minute 0"],
  ["0 3 * * *", "every day at 03:00"],
  ["30 3,15 * * *", "every day at 03:30 and 15:30"],
  ["0,30 9 * * mon-fri", "on weekdays at 09:00 and 09:30"],
  ["0 9 * * 1,3,7", "on Mondays, Wednesdays and Sundays at 09:00"],
  ["*/10 * * * sat", "every 10 minutes, on Saturdays"],
  ["0 4 1 * *", "each month on day 1 at 04:00"],
  ["0 0 24 12 *", "each year on 24 Dec at 00:00"],
  ["@weekly", "on Sundays at 00:00"],
  ["@hourly", "every hour at minute 0"],
])("%s is %s", (expression, words) => expect(cronWords(expression)).toBe(words));

test.each([
  ["both days, of which either counts", "0 3 1 * mon"],
  ["a step that begins anew", "*/7 * * * *"],
  ["very many times", "1,2,3,4,5 3 * * *"],
  ["a range of hours", "0 9-17 * * *"],
  ["an unknown day", "0 3 * * foo"],
  ["too few fields", "0 3"],
  ["a boot", "@reboot"],
])("%s stay as they are written", (_name, expression) => expect(cronWords(expression)).toBeNull());

import { expect, test } from "vitest";
import { ownerOf } from "./source.ts";

const places: readonly (readonly [path: string, owner: string | null])[] = [
  ["/var/spool/cron/crontabs/www-data", "www-data"],
  ["/var/spool/cron/tabs/www-data", "www-data"],
  ["/var/spool/cron/www-data", "www-data"],
  ["/var/spool/cron/crontabs/a/b", null],
  ["/etc/cron.d/www-data", null],
  ["/home/me/www-data", null],
];
test.each(places)("the crontab %s is the one of %j", (path, owner) => {
  expect(ownerOf(path)).toBe(owner);
});

import { expect, test } from "vitest";
import { ownerOf } from "./source.ts";

const paths: readonly (readonly [path: string, owner: string | null])[] = [
  ["/var/spool/cron/crontabs/www-data", "www-data"],
  ["/var/spool/cron/tabs/www-data", "www-data"],
  ["/var/spool/cron/www-data", "www-data"],
  ["/var/spool/cron/crontabs/a/b", null],
  ["/etc/cron.d/www-data", null],
  ["/home/me/www-data", null],
];
test.each(paths)("the crontab %s belongs to %j", (path, owner) => {
  expect(ownerOf(path)).toBe(owner);
});

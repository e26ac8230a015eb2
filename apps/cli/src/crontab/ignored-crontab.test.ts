import { expect, test } from "vitest";
import { explainIgnored } from "./ignored-crontab.ts";

const file = { mode: 0o100644, uid: 0, linkUid: 0 };

test("a crontab that Debian's cron ignores is rejected with the reason", () => {
  for (const name of ["php.dpkg-old", "php~", ".placeholder", "my jobs"])
    expect(explainIgnored(`/etc/cron.d/${name}`, file), name).toMatch(/^its name may only contain letters, digits/);
  expect(explainIgnored("/etc/cron.d/php", { ...file, uid: 33 })).toMatch(/^it does not belong to root/);
  expect(explainIgnored("/etc/cron.d/php", { ...file, linkUid: 33 })).toMatch(/^it does not belong to root/);
  for (const mode of [0o100664, 0o100646, 0o100666])
    expect(explainIgnored("/etc/crontab", { ...file, mode })).toMatch(/^users other than root can write to it/);
});

test("every other crontab is read", () => {
  for (const path of ["/etc/crontab", "/etc/cron.d/php", "/etc/cron.d/e2scrub_all", "/etc/cron.d/sa-exim2"])
    expect(explainIgnored(path, file), path).toBe(null);
  expect(explainIgnored("/home/ada/php.old", { mode: 0o100666, uid: 7, linkUid: 7 })).toBe(null);
});

import { expect, test } from "vitest";
import { nameFromCommand } from "./command-name.ts";

const commands: readonly (readonly [script: string, name: string])[] = [
  ["/usr/local/bin/backup --all", "backup"],
  ["$HOME/bin/daily.job >> $HOME/tmp/out 2>&1", "daily.job"],
  ["cd / && run-parts --report /etc/cron.hourly", "cron.hourly"],
  ["test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }", "cron.daily"],
  [
    "[ -x /usr/lib/php/sessionclean ] && if [ ! -d /run/systemd/system ]; then /usr/lib/php/sessionclean; fi",
    "sessionclean",
  ],
  ["if [ -x /usr/sbin/logcheck ]; then nice -n10 /usr/sbin/logcheck -R; fi", "logcheck"],
  ["test -e /run/systemd/system || SERVICE_MODE=1 /sbin/e2scrub_all -A -r", "e2scrub_all"],
  ["command -v debian-sa1 > /dev/null && debian-sa1 1 1", "debian-sa1"],
  ["A=1 B=2 exec ./x.sh", "x.sh"],
  ["sleep 60; tunnel --keep", "tunnel"],
  ["test -x /usr/sbin/anacron || ( cd / && run-parts --report /etc/cron.daily )", "cron.daily"],
  ["run-parts /etc/cron.hourly >/dev/null 2>&1", "cron.hourly"],
  ["/usr/bin/env -u LANG A=1 backup", "backup"],
  ["nice -n 10 ionice -c 3 updatedb", "updatedb"],
  ["nice -19 flock -n /var/lock/sync -- /usr/local/bin/sync.sh", "sync.sh"],
  ["flock -w 10 /tmp/lock -c 'rsync -a /a /b'", "rsync"],
  ["timeout -k 5 1h sudo -u www-data renew", "renew"],
  ["nice", "nice"],
  ["/bin/bash -lc 'deploy --now'", "deploy"],
  ['sh -c "cd /srv/app && ./clean"', "clean"],
  ["bash /opt/job.sh", "job.sh"],
  ["/usr/bin/php -q -d memory_limit=1G /var/www/cron.php", "cron.php"],
  ["python3 -m reports.daily", "reports.daily"],
  ["perl -e 'print 1'", "perl"],
  ["python3.13", "python3.13"],
  ["NAME='two words' backup", "backup"],
  ["sleep 60", "sleep"],
  ["''", "job"],
  ["\u0001", "job"],
  ["back\u0007up", "backup"],
];
test.each(commands)("the command %j is named %j", (script, name) => {
  expect(nameFromCommand(script)).toBe(name);
});

/** As long as a command may be. */
const longest: readonly (readonly [what: string, script: string, name: string])[] = [
  ["quotes in an assignment", `A=${'"'.repeat(996)}`, "A="],
  ["both quotes in an assignment", `A=${`"'`.repeat(498)}`, "A="],
  ["assignments", "A=1 ".repeat(249), "A=1"],
  ["programs that run another one", `${"nice ".repeat(199)}x`, "x"],
  ["options", `nice ${"-n 1 ".repeat(198)}x`, "x"],
];
test.each(longest)("a command of many %s is named at once", (_, script, name) => {
  expect(nameFromCommand(script)).toBe(name);
});

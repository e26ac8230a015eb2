import { until } from "@belfry/test-kit";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canHaveUsers, homeless, otherUser } from "../../../../packages/server/tests/support/processes/other-users.ts";
import { useBundle } from "../bundled.ts";
import { openMachine } from "../system-machine.ts";

const belfry = useBundle();
const cron = "/usr/sbin/cron";

/** Everything that a job can tell about how it was started. */
const report = `#!/bin/sh
to=$(dirname "$0")/out/\${BELFRY_RUN_ID:+belfry-}$1
{
  id; id -G; pwd -P; umask; ulimit -c -n
  echo "arguments $*"; echo "input $(cat)"
  for name in HOME SHELL LOGNAME PATH TMPDIR FROM_FILE; do
    eval "echo $name=\\\${$name-unset}"
  done
  env | sed -n 's/^\\([A-Za-z_0-9]*\\)=.*/\\1/p' | grep -vxE 'BELFRY_.*|USER|LANG|LC_ALL|MAILTO' | sort
  # the guide names these differences: an empty locale is none, cron sets no USER, and MAILTO is not imported
  echo "locale $LANG$LC_ALL"
  echo "USER=\${USER-unset}"
} >"$to.part" 2>&1
mv "$to.part" "$to"
`;

const users = ["root", otherUser.name, homeless.name, "www-data", "nobody"];
const jobs = (file: string, command: string): string =>
  users.map((user) => `@reboot ${user} ${command} ${file}-${user} a b%line one%line two\n`).join("");

test.skipIf(!canHaveUsers || !existsSync(cron))(
  "a system crontab's jobs have what Debian's cron gives them, and files that cron ignores are rejected",
  async () => {
    const imported = {
      plain: jobs("plain", "$REPORT").replaceAll("$REPORT", "/srv/bf-report/report"),
      settings: `SHELL=/bin/bash\nPATH=/usr/bin:/bin:/srv\nHOME=/srv\nFROM_FILE="a value"\nMAILTO=""\n${jobs("settings", "/srv/bf-report/report")}`,
    };
    const line = (name: string): string => `@reboot root /srv/bf-report/report ${name}\n`;
    const ignored = { "php.dpkg-old": line("name"), writable: line("mode"), foreign: line("owner") };
    await using machine = await openMachine({ belfry, crontabs: { ...imported, ...ignored } });
    chmodSync(join(machine.folder, "cron.d", "writable"), 0o664);
    chownSync(join(machine.folder, "cron.d", "foreign"), otherUser.uid, 0);
    const out = join(machine.folder, "out");
    mkdirSync(out);
    chmodSync(out, 0o1777);
    writeFileSync(join(machine.folder, "report"), report, { mode: 0o755 });
    await new Promise((resolve) =>
      machine
        .start(
          "/bin/sh",
          "-c",
          `mount -t tmpfs -o mode=755 tmpfs /srv && mkdir /srv/bf-report && mount --bind '${machine.folder}' /srv/bf-report`,
        )
        .once("exit", resolve),
    );
    const names = ["plain", "settings"].flatMap((file) => users.map((user) => `${file}-${user}`));
    const child = machine.start(cron, "-f");
    try {
      await until("every job under cron", () => names.every((name) => existsSync(join(out, name))));
    } finally {
      await machine.end(child);
    }

    for (const file of Object.keys(imported)) {
      const { code, answer } = await machine.run("import", "crontab", `/etc/cron.d/${file}`, "--system");
      expect(code).toBe(0);
      for (const { id } of answer.made.tasks) await machine.call("POST", `/v1/tasks/${id}/run`);
    }
    await until("every job under Belfry", () => names.every((name) => existsSync(join(out, `belfry-${name}`))));
    for (const name of names) {
      const [byCron, byBelfry] = [name, `belfry-${name}`].map((each) => readFileSync(join(out, each), "utf8"));
      const user = name.slice(name.indexOf("-") + 1);
      // without a home directory, cron leaves a job in the folder of its own crontabs, and Belfry in the root directory
      const adapted = byCron!.replace("USER=unset\n", `USER=${user}\n`).replace("\n/var/spool/cron\n", "\n/\n");
      expect(byBelfry, name).toBe(adapted);
      expect(byCron).toContain(`arguments ${name} a b\ninput line one\nline two\n`);
    }
    for (const [file, reason] of [
      ["php.dpkg-old", "its name may only contain"],
      ["writable", "users other than root can write to it"],
      ["foreign", "it does not belong to root"],
    ] as const) {
      const { code, stderr } = await machine.run("import", "crontab", `/etc/cron.d/${file}`, "--system");
      expect([code, stderr], file).toEqual([2, expect.stringContaining(`cron ignores /etc/cron.d/${file}: ${reason}`)]);
    }
    for (const name of ["name", "mode", "owner"]) expect(existsSync(join(out, name)), name).toBe(false);
    const groups = (name: string): string => readFileSync(join(out, name), "utf8").split("\n")[1]!;
    expect(groups(`belfry-plain-${otherUser.name}`)).toBe(otherUser.groups.join(" "));
  },
);

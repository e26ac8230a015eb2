import type { Habit, Make } from "./simulated-week.ts";

const importOutput = `printf '\\033[1mReading orders-2041.csv\\033[0m\\n1204 rows, 14 columns\\n'
for page in 1 2 3 4 5 6; do printf 'Rows %d to %d: \\033[32mstored\\033[0m\\n' $((page * 200 - 199)) $((page * 200)); done
printf '\\033[33mRow 431: no country, so DE is assumed\\033[0m\\n' >&2
printf '\\033[31mRow 817: the column amount is empty\\033[0m\\n' >&2
echo '816 of 1204 rows stored; the rest was rolled back'
exit 3`;

const backupOutput = `pg_dump --format=custom --file=/srv/backup/shop.dump shop
sha256sum /srv/backup/shop.dump > /srv/backup/shop.dump.sha256`;

const minutes = (count: number): number => 60 * count;
const hourOf = (at: number): number => new Date(at).getUTCHours();

/** The tasks of a small company, by short names. */
export async function makeTasks(make: Make) {
  const habits = new Map<string, Habit>();
  const group = async (name: string): Promise<string> => (await make("/v1/groups", { name })).id;
  const task = async (name: string, habit: Habit, more: object = {}): Promise<string> => {
    const { id } = await make("/v1/tasks", { name, command: { kind: "shell", script: "true" }, ...more });
    habits.set(id, habit);
    return id;
  };
  const cron = (id: string, expression: string): Promise<unknown> =>
    make("/v1/schedules", { task_id: id, kind: "cron", expression, time_zone: "Europe/Berlin" });
  const chain = (from: string, to: string, on = "success"): Promise<unknown> =>
    make("/v1/chains", { source_task_id: from, target_task_id: to, on_outcome: on });
  const shell = (script: string) => ({ command: { kind: "shell", script } });

  const [backups, reports, web] = [await group("Backups"), await group("Reports"), await group("Web")];
  const backup = await task(
    "Back up the database",
    { seconds: minutes(48), fails: (number) => number === 3 },
    {
      group_id: backups,
      description: "Saves customers, orders and invoices to the second machine.",
      labels: { owner: "operations" },
      timeout: "2h",
      expect_success_within: "26h",
      ...shell(backupOutput),
    },
  );
  const files = await task("Back up the files", { seconds: minutes(34) }, { group_id: backups });
  const verify = await task("Restore the backup on trial", { seconds: minutes(25) }, { group_id: backups });
  const away = await task("Copy the backup off site", { seconds: minutes(70) }, { group_id: backups });
  const page = await task("Page the administrator", { seconds: 2 }, { group_id: backups });
  const sales = await task("Sales of the week", { seconds: minutes(11) }, { group_id: reports });
  const stock = await task(
    "Stock level",
    { seconds: minutes(4), fails: (_, at) => [3, 11].includes(hourOf(at)) },
    { group_id: reports },
  );
  const invoices = await task("Send the invoices", { seconds: minutes(16) }, { group_id: reports });
  const certificates = await task("Renew certificates", { seconds: 40 }, { group_id: web });
  const check = await task(
    "Check the shop",
    { seconds: 4, fails: (number) => number % 211 > 206 },
    { group_id: web, ...shell("curl --fail --silent --output /dev/null https://shop.example.org/health") },
  );
  const deploy = await task("Deploy the shop", { seconds: minutes(7) }, { group_id: web });
  const mirror = await task(
    "Mirror the packages",
    { seconds: minutes(9), fails: (_, at) => Date.now() - at < 14 * 3_600_000 },
    { group_id: web, expect_success_within: "12h" },
  );
  const orders = await task(
    "Import orders",
    { seconds: 75, fails: (number) => number % 37 === 0 },
    {
      description: "Reads what the shop exports.",
      retry: { max_attempts: 2, delay: "2s" },
      timeout: "10m",
      labels: { owner: "sales" },
      ...shell(importOutput),
    },
  );
  const index = await task("Rebuild the search index", { seconds: 50 }, shell("echo page 1; sleep 280"));
  await cron(backup, "30 2 * * *");
  await cron(files, "0 */6 * * *");
  await cron(sales, "0 7 * * mon");
  await cron(stock, "0 * * * *");
  await cron(invoices, "30 6 * * mon-fri");
  await cron(certificates, "15 4 * * *");
  await cron(mirror, "40 */4 * * *");
  await cron(orders, "*/30 * * * *");
  await cron(index, "20 */2 * * *");
  await make("/v1/schedules", { task_id: check, kind: "interval", every: "10m" });
  for (const hours of [98, 51, 26, 4])
    await make("/v1/schedules", {
      task_id: deploy,
      kind: "once",
      at: new Date(Date.now() - hours * 3_600_000).toISOString(),
    });
  await chain(backup, verify);
  await chain(verify, away);
  await chain(backup, page, "failure");
  return { habits, backup, check, deploy, orders, index };
}

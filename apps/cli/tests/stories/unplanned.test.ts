import { expect, test } from "vitest";
import { rewriteRows } from "../../../../packages/server/tests/support/damage.ts";
import { startBelfry } from "../belfry.ts";

test("a schedule whose time zone the system no longer knows is named by doctor, agenda and why, and stops no other", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Old zone", "--cron", "0 3 * * *", "--tz", "Europe/Berlin", "--", "true");
  await belfry.text("task", "add", "Good", "--cron", "0 4 * * *", "--", "true");
  expect(await belfry.text("doctor")).toMatch(/^ok +schedules +2 enabled; next run at /m);
  const rename = "UPDATE schedules SET time_zone = ? WHERE time_zone = 'Europe/Berlin'";
  rewriteRows(belfry.daemon.dataDir, rename, "Mars/Base");

  const doctor = await belfry.call(["doctor"], { columns: 1_000, environment: { NO_COLOR: "1" } });
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/^ERROR +schedules +cannot be planned: Old zone\/0 3 \* \* \*\. .*belfry agenda$/m);
  const agenda = await belfry.call(["agenda"], { columns: 1_000, environment: { NO_COLOR: "1" } });
  expect(agenda.stdout).toContain("Good");
  expect(agenda.stderr).toMatch(/Old zone.*: .*Mars\/Base/);
  expect(await belfry.text("why", "Old zone")).toMatch(/The schedule cannot be planned: .*Mars\/Base/);

  await belfry.text("schedule", "edit", "Old zone", "--tz", "UTC");
  expect(await belfry.text("doctor")).toMatch(/^ok +schedules +2 enabled/m);
});

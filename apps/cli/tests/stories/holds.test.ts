import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

test("tasks are held and released, and why, doctor and the list say until when and why", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Backups");
  await belfry.text("task", "add", "Copy", "--group", "Backups", "--", "true");
  const held = await belfry.call(["hold", "--reason", "Database upgrade"]);
  expect(held).toMatchObject({ code: 0, stdout: "All tasks are held until you release them: Database upgrade\n" });
  expect(held.stderr).toMatch(/Release with: belfry release\n/);
  await belfry.text("hold", "--group", "backups", "--until", "2h");

  const refused = await belfry.call(["task", "run", "Copy"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/the task is held: release the hold first, or wait for its end if it has one/);
  expect(refused.stderr).toContain(
    "\nAll tasks are held until you release them: Database upgrade. Release with: belfry release\n",
  );
  expect(await belfry.text("holds")).toMatch(/tasks of group "Backups"[^]*all tasks .*Database upgrade/);
  expect(await belfry.text("task", "list")).toMatch(/Copy .*held/);
  const why = await belfry.call(["why", "Copy"]);
  expect(why.stdout).toMatch(/cannot start now \(held\)/);
  expect(why.stderr).toMatch(
    /All tasks are held until you release them: Database upgrade. Release with: belfry release/,
  );
  expect((await belfry.call(["agenda"])).stderr).toMatch(
    /^All tasks are held until you release them: Database upgrade\. Release with: belfry release$/m,
  );
  expect(await belfry.text("task", "add", "Late", "--cron", "0 3 * * *", "--", "true")).toMatch(/, held: next run /);
  expect((await belfry.call(["doctor"])).stdout).toMatch(/warn\tholds\t.*belfry release --group/);

  const released = await belfry.call(["release"]);
  expect(released).toMatchObject({ code: 0, stdout: "Released all tasks\n" });
  expect(released.stderr).toMatch(/Other holds remain/);
  expect((await belfry.call(["why", "Copy"])).stderr).toMatch(/tasks of group "Backups" are held until/);
  await belfry.text("release", "--group", "Backups");
  expect((await belfry.call(["holds"])).stderr).toMatch(/Nothing is held/);
  expect(await belfry.call(["release"])).toMatchObject({
    code: 1,
    stderr: "belfry: nothing is held: there is no hold to release\n",
  });
});

test("a second hold says what it replaces", async () => {
  await using belfry = await startBelfry();
  await belfry.text("hold", "--until", "2h", "--reason", "Database upgrade");
  const replacing = await belfry.call(["hold"]);
  expect(replacing).toMatchObject({ code: 0, stdout: "All tasks are held until you release them\n" });
  expect(replacing.stderr).toMatch(
    /^This replaces the earlier hold: All tasks are held until \S+ \S+.*: Database upgrade\nRelease with: belfry release\n$/,
  );
  expect((await belfry.call(["hold"])).stderr).toBe("Release with: belfry release\n");
});

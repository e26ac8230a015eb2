import type { RunAttemptList, Timeline } from "@belfry/client";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

test("the timeline draws one line for each task, as wide as the terminal", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Backups");
  await belfry.text("task", "add", "Good", "--group", "Backups", "--every", "2h", "--", "true");
  await belfry.text("task", "add", "Bad", "--shell", "exit 3");
  for (const name of ["Good", "Bad"]) await belfry.call(["task", "run", name, "--wait"]);
  for (const columns of [60, 120]) {
    const { stdout } = await belfry.call(["timeline"], { columns, environment: { NO_COLOR: "1" } });
    const lines = stdout.split("\n");
    const [axis = "", bad = "", good = ""] = lines;
    expect(axis).toHaveLength(columns);
    expect(axis).toMatch(/^ +\d\d-\d\d \d\d:\d\d +\d\d-\d\d \d\d:\d\d$/);
    expect(bad).toMatch(/^Bad +x$/);
    expect(good).toMatch(/^Backups \/ Good +#( +o){5,6}$/);
    // both ran now
    expect(bad.indexOf("x")).toBe(good.indexOf("#"));
    expect(Math.max(...lines.slice(0, 3).map(({ length }) => length))).toBeLessThanOrEqual(columns);
    expect(stdout).toContain("x failed");
  }
  const only = async (...more: readonly string[]) =>
    (await belfry.json<Timeline>("timeline", ...more)).rows.map(({ name }) => name);
  expect(await only()).toEqual(["Bad", "Good"]);
  expect(await only("--group", "Backups")).toEqual(["Good"]);
  expect(await only("--task", "Bad", "--from", "1d", "--until", "now")).toEqual(["Bad"]);
  const { stderr } = await belfry.call(["timeline", "-n", "1"]);
  expect(stderr).toBe("Showing the first 1 tasks. Raise --limit, or choose a --group\n");
  const late = await belfry.call(["timeline", "--from", "now", "--until", "1h ago"]);
  expect([late.code === 0, late.stderr]).toEqual([false, expect.stringContaining("--until must be later than --from")]);
});

test("the attempts of a run are listed with their results", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Flaky", "--retries", "1", "--retry-delay", "0s", "--shell", "echo out; exit 3");
  await belfry.call(["task", "run", "Flaky", "--wait"]);
  const { stdout } = await belfry.call(["run", "attempts", "Flaky"]);
  expect(stdout).toMatch(
    /^ATTEMPT\tSTARTED \+00:00\tDURATION\tRESULT\tSTDOUT\tSTDERR\n1\t.*\texit 3\t4 B\t0 B\n2\t.*\texit 3\t4 B\t0 B\n$/,
  );
  const { attempts } = await belfry.json<RunAttemptList>("run", "attempts", "Flaky");
  expect(attempts.map(({ number, reason, exit_code }) => [number, reason, exit_code])).toEqual([
    [1, "exit_code", 3],
    [2, "exit_code", 3],
  ]);
});

test("lists of runs and of tasks have only active runs, and only overdue tasks", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Quick", "--", "true");
  await belfry.text("task", "add", "Slow", "--expect-success", "1s", "--", "sleep", "600");
  await belfry.call(["task", "run", "Quick", "--wait"]);
  await belfry.text("task", "run", "Slow");
  const { runs } = await belfry.json<{ readonly runs: readonly { readonly task_name: string }[] }>(
    "run",
    "list",
    "--active",
  );
  expect(runs.map(({ task_name }) => task_name)).toEqual(["Slow"]);
  await until("Slow is overdue", async () =>
    (await belfry.call(["task", "list", "--overdue"])).stdout.includes("Slow"),
  );
  expect((await belfry.call(["task", "list", "--overdue"])).stdout).not.toContain("Quick");
  expect(await belfry.text("status")).toMatch(/\nOverdue\nTASK +EXPECTED +LAST SUCCESS\nSlow +every 1s +never\n/);
  expect(await belfry.json("status")).toMatchObject({ overdue: [{ name: "Slow" }] });
  await belfry.call(["run", "cancel", "Slow"]);
});

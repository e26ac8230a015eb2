import type { TaskList } from "@belfry/client";
import { tempDir } from "@belfry/test-kit";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

function fixture(path: string): string {
  return readFileSync(new URL(`../fixtures/crontabs/${path}`, import.meta.url), "utf8");
}

test("a crontab is looked at first, then imported whole, and not a second time", async () => {
  await using belfry = await startBelfry();
  const stdin = fixture("user/everything");
  const looked = await belfry.call(["import", "crontab", "-", "--dry-run"], { stdin });
  expect(looked.code).toBe(0);
  expect(looked.stdout).toMatch(/ 8 {2}taken {2,}task "Five minutes after midnight, every day", 5 0 \* \* \*/);
  expect(looked.stderr).toMatch(/^Would import 7 tasks into the group "crontab"[^]*no PATH[^]*Nothing was changed/);
  expect(await belfry.json("task", "list")).toMatchObject({ tasks: [] });

  const done = await belfry.call(["import", "crontab", "-"], { stdin });
  expect(done).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Imported 7 tasks[^]*cron still has these jobs/),
  });
  expect((await belfry.json<TaskList>("task", "list", "--group", "crontab")).tasks).toHaveLength(7);
  expect(await belfry.json("schedule", "show", "Annoy Joe on weekdays")).toMatchObject({
    expression: "0 22 * * 1-5",
    effective_time_zone: "Europe/Berlin",
  });
  expect(await belfry.json("schedule", "show", "report")).toMatchObject({
    jitter: "6m",
    effective_time_zone: "America/New_York",
  });
  expect(await belfry.say("task", "stdin", "Annoy Joe on weekdays")).toBe("Joe,\n\nWhere are your kids?\n");

  const again = await belfry.call(["import", "crontab", "-"], { stdin });
  expect(again).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/"crontab" cannot be made[^]*--group/),
  });
  expect((await belfry.call(["import", "crontab", "-", "--group", "other"], { stdin })).code).toBe(0);
});

test("an imported job runs with the shell, the environment and the input that cron gave it", async () => {
  await using belfry = await startBelfry();
  const stdin =
    'SHELL=/bin/bash\nGREETING="  hello  "\n# Said\n0 3 * * * cat; [[ -n $BASH ]] && echo "$GREETING|$(date +\\%d | wc -c)"%from%cron\n';
  await belfry.call(["import", "crontab", "-"], { stdin });
  expect((await belfry.call(["task", "run", "Said", "--follow"])).stdout).toBe("from\ncron\n  hello  |3\n");
});

test("one line that cannot be imported refuses the whole file, and every such line is told with its number", async () => {
  await using belfry = await startBelfry();
  const stdin = fixture("user/refused");
  const { code, stdout, stderr } = await belfry.call(["import", "crontab", "-"], { stdin });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^Nothing was imported: 9 lines cannot be taken over[^]*--skip-unsupported/);
  expect(stdout).toMatch(/ 3 {2}refused {2,}61 is not a valid minute: use 0 to 59\n/);
  // of a date that never comes only the daemon knows
  expect(stdout).toMatch(/10 {2}refused {2,}.*never/);
  expect(await belfry.json("group", "list")).toMatchObject({ groups: [] });

  const skipped = await belfry.call(["import", "crontab", "-", "--skip-unsupported", "--json"], { stdin });
  expect(skipped.code).toBe(0);
  const answer = JSON.parse(skipped.stdout);
  expect(answer.made.tasks).toMatchObject([{ key: "line 1", name: "fine" }]);
  expect(answer.lines).toHaveLength(10);
});

test("a system crontab must be called one, and jobs of other users must be meant", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  const me = userInfo().username;
  const file = join(dir.path, "web");
  await writeFile(file, `0 3 * * * ${me} true\n0 4 * * * nobody-else false\n`);
  const refused = await belfry.call(["import", "crontab", file, "--system"]);
  expect(refused).toMatchObject({
    code: 2,
    stdout: expect.stringContaining(`runs as nobody-else, but this daemon runs as ${me}`),
  });
  const taken = await belfry.call(["import", "crontab", file, "--system", "--run-as-me"]);
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining(`as ${me} instead of nobody-else`) });
  expect((await belfry.json<TaskList>("task", "list", "--group", "web")).tasks).toHaveLength(2);
  expect(await belfry.call(["import", "crontab", "-"], { stdin: "0 3 * * * root true\n" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--system"),
  });
});

test("what holds no job is refused", async () => {
  await using belfry = await startBelfry();
  expect(await belfry.call(["import", "crontab", "-"], { stdin: "# nothing\nA=1\n" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no job"),
  });
  expect(await belfry.call(["import", "crontab", "/nowhere/crontab"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no such file"),
  });
});

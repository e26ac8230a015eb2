import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startDaemon } from "../../server/tests/support/harness.ts";
import { connectLocal } from "../src/local.ts";
import { runProgram } from "./bundle.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const quickStart = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";

test("the quick start has at most ten lines, and works", async () => {
  expect(quickStart.trim().split("\n").length).toBeLessThanOrEqual(10);
  await using daemon = await startDaemon();
  const output = await runProgram(quickStart, { environment: { BELFRY_SOCKET: daemon.socketPath } });
  const client = connectLocal({ socketPath: daemon.socketPath });
  const { tasks } = await client.tasks.list();
  expect(output).toBe(`Hello from ${tasks[0]?.id}\n`);
  expect((await client.schedules.list()).schedules).toMatchObject([{ task_id: tasks[0]?.id, expression: "0 3 * * *" }]);
});

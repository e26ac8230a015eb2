import { tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog, systemClock } from "../../../../packages/server/src/index.ts";
import type { LogEntry } from "../../../../packages/server/src/kernel/log/log.ts";
import { runnersOf } from "../../../../packages/server/tests/support/processes/runners.ts";
import { startBelfry } from "../belfry.ts";

test("while a runner hangs, doctor, why and the log name it, other tasks run, and all is well once it resumes", async () => {
  const logged: LogEntry[] = [];
  const log = createLog(systemClock, "info", [(entry) => void logged.push(entry)]);
  await using belfry = await startBelfry({ log });
  await using dir = await tempDir();
  const gate = join(dir.path, "gate");
  const soon = new Date(Date.now() + 5_000).toISOString();
  await belfry.text("task", "add", "Slow", "--at", soon, "--shell", `until [ -e ${gate} ]; do sleep 0.02; done`);
  await belfry.text("task", "add", "Quick", "--", "true");
  const isRunning = async () => /^State +running$/m.test((await belfry.call(["run", "show", "Slow"])).stdout);
  await until("the process", isRunning);
  const [runner] = runnersOf(belfry.daemon.dataDir);
  const { pid } = runner!;
  process.kill(pid, "SIGSTOP");

  // its order is unanswered for ten seconds; then another runner starts it
  expect((await belfry.call(["task", "run", "Quick", "--wait"])).code).toBe(0);
  const doctor = await belfry.call(["doctor"], { columns: 1_000, environment: { NO_COLOR: "1" } });
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(
    new RegExp(`^ERROR +runners +process ${pid} has not responded since .*run: kill -KILL ${pid}\\.`, "m"),
  );
  expect(await belfry.text("why", "Slow")).toContain(
    "is running, but its runner process does not respond: see belfry doctor",
  );
  expect(logged.find(({ event }) => event === "runner.silent")?.fields).toMatchObject({ pid, unanswered_starts: 1 });

  process.kill(pid, "SIGCONT");
  await writeFile(gate, "");
  await until("the end", async () => /^State +succeeded/m.test(await belfry.text("run", "show", "Slow")));
  const healed = await belfry.call(["doctor"], { columns: 1_000, environment: { NO_COLOR: "1" } });
  expect(healed.stdout).toContain("every runner process responds");
  expect(healed.code, healed.stdout).toBe(0);
  expect(logged.some(({ event }) => event === "runner.resumed")).toBe(true);
});

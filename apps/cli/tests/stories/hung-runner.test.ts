import { tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog, systemClock } from "../../../../packages/server/src/index.ts";
import type { LogEntry } from "../../../../packages/server/src/kernel/log/log.ts";
import { runnersOf } from "../../../../packages/server/tests/support/processes/runners.ts";
import { startBelfry } from "../belfry.ts";

/** A daemon with a task Slow, which runs until the gate is there, under a runner that has always responded. */
async function startSlow(gate: string) {
  for (;;) {
    await using opened = new AsyncDisposableStack();
    const logged: LogEntry[] = [];
    const log = createLog(systemClock, "info", [(entry) => void logged.push(entry)]);
    const belfry = opened.use(await startBelfry({ log }));
    await belfry.text("task", "add", "Slow", "--shell", `until [ -e ${gate} ]; do sleep 0.02; done`);
    await belfry.text("task", "add", "Quick", "--", "true");
    await belfry.text("task", "run", "Slow");
    const isRunning = async () => /^State +running$/m.test(await belfry.text("run", "show", "Slow"));
    await until("the process", isRunning);
    const [runner, ...others] = runnersOf(belfry.daemon.dataDir);
    // a stall may have silenced the first one, and then there is another
    if (others.length > 0 || logged.some(({ event }) => event === "runner.silent")) continue;
    const kept = opened.move();
    return { ...belfry, logged, pid: runner!.pid, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  }
}

test("while a runner hangs, doctor, why and the log name it, other tasks run, and all is well once it resumes", async () => {
  await using dir = await tempDir();
  const gate = join(dir.path, "gate");
  await using belfry = await startSlow(gate);
  const { pid, logged } = belfry;
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
  const silent = logged.filter(({ event }) => event === "runner.silent").map(({ fields }) => fields);
  expect(silent).toContainEqual(expect.objectContaining({ pid, unanswered_starts: 1 }));

  process.kill(pid, "SIGCONT");
  await writeFile(gate, "");
  await until("the end", async () => /^State +succeeded/m.test(await belfry.text("run", "show", "Slow")));
  const healed = await belfry.call(["doctor"], { columns: 1_000, environment: { NO_COLOR: "1" } });
  expect(healed.stdout).toContain("every runner process responds");
  expect(healed.code, healed.stdout).toBe(0);
  expect(logged.some(({ event }) => event === "runner.resumed")).toBe(true);
});

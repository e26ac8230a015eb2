import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { link, startedBy } from "../support/chains.ts";
import { startDaemon } from "../support/harness.ts";
import {
  getRun,
  made2xx,
  makeGroup,
  makeTask,
  runOnce,
  startRun,
  untilEnd,
  untilState,
  waitFor,
} from "../support/tasks.ts";

/** What becomes of the run that was active during the hold, and of the two runs that chains requested. */
const cases = [
  { on_conflict: "queue", active: "success", first: "success", second: "success" },
  { on_conflict: "replace", active: "replaced", first: "replaced", second: "success" },
  { on_conflict: "skip", active: "success", first: "overlap", second: "overlap" },
];

test.each(cases)(
  "a chain requests a run of a held task, which conflicts with nothing before the release: $on_conflict",
  async ({ on_conflict, active, first, second }) => {
    await using files = await tempDir("bf-");
    const go = join(files.path, "go");
    await using daemon = await startDaemon();
    const group = await makeGroup(daemon);
    const target = await makeTask(daemon, waitFor(go), {
      group_id: group.id,
      concurrency: { limit: 1, on_conflict },
    });
    const source = await makeTask(daemon, ":");
    await link(daemon, source, target);
    const running = await startRun(daemon, target);
    await untilState(daemon, running, "running");
    await made2xx(daemon.call("POST", "/v1/hold", { group_id: group.id }));

    const waiting = [];
    for (let count = 0; count < 2; count++) {
      const ended = await untilEnd(daemon, await startRun(daemon, source));
      waiting.push((await startedBy(daemon, ended))[0]);
    }
    expect(waiting).toMatchObject([{ state: "queued" }, { state: "queued" }]);
    // a round of the dispatcher changes nothing either
    expect((await runOnce(daemon, ":")).outcome).toBe("success");
    expect((await getRun(daemon, running)).state).toBe("running");
    for (const run of waiting) expect((await getRun(daemon, run)).state).toBe("queued");

    await made2xx(daemon.call("POST", "/v1/release", { group_id: group.id }));
    const expected = [
      { run: running, result: active },
      { run: waiting[0], result: first },
      { run: waiting[1], result: second },
    ];
    // runs that conflict with the active one do not wait for its end
    for (const { run, result } of expected)
      if (result !== "success") expect((await untilEnd(daemon, run)).reason).toBe(result);
    await writeFile(go, "");
    for (const { run, result } of expected)
      if (result === "success") expect((await untilEnd(daemon, run)).outcome).toBe(result);
  },
);

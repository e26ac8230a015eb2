import { until } from "@belfry/test-kit";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { getRun, made2xx, makeTask, startRun, untilEnd, untilState } from "../support/tasks.ts";

/** Ends its main thread; the other one waits for a signal. Linux shows such a process as a zombie. */
const program = `exec /usr/bin/python3 -c '
import ctypes, signal, threading
threading.Thread(target=lambda: threading.Event().wait()).start()
ctypes.CDLL(None).pthread_exit(None)'`;

test.skipIf(!existsSync("/usr/bin/python3"))(
  "a task whose main thread has ended is cancelled, and its run says so",
  async () => {
    await using daemon = await startDaemon();
    const task = await makeTask(daemon, program, { kill_grace: "1m" });
    const run = await untilState(daemon, await startRun(daemon, task), "running");
    const pid = await until("its process", async () => (await getRun(daemon, run)).pid);
    await until("the end of the main thread", () => / Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1")));
    await made2xx(daemon.call("POST", `/v1/runs/${run.id}/cancel`));
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", reason: "cancelled" });
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  },
);

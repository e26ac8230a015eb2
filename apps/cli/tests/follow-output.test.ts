import { connectLocal } from "@belfry/client/local";
import { expect, test } from "vitest";
import { startDaemon } from "../../../packages/server/tests/support/harness.ts";
import type { Host } from "../src/host.ts";
import { Output } from "../src/output/output.ts";
import { followOutput } from "../src/runs/follow-output.ts";

test("however late a command follows a run that it requested, it prints each attempt once and in order", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({
    name: "Again",
    command: { kind: "shell", script: 'echo "attempt $BELFRY_ATTEMPT"; exit 1' },
    retry: { max_attempts: 4, delay: "1ms" },
  });
  const requested = await client.tasks.run(task.id);
  expect(requested.state).toBe("queued");
  await client.runs.wait(requested.id);

  const printed: unknown[] = [];
  const host = {
    stdout: { write: (text: string | Uint8Array) => printed.push(Buffer.from(text).toString()) > 0 },
    stderr: {},
    environment: {},
  };
  const out = new Output(host as unknown as Host, false);
  await followOutput(client, requested, { stream: "stdout", out });
  expect(printed.join("")).toBe("attempt 1\nattempt 2\nattempt 3\nattempt 4\n");
});

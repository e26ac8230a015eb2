import { tempDir, until } from "@belfry/test-kit";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { callSocket, type Harness, startDaemon } from "../../server/tests/support/harness.ts";
import { type Client, isUncertainOutcomeError, type Settlement, type Task, type TaskPatch } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";

const command = { kind: "shell", script: "true" } as const;
const retry: Task["retry"] = { max_attempts: 3, delay: "5m", backoff: 2, max_delay: "1h", jitter: 0.1 };

describe("settle() does not report a lost request as committed", () => {
  const patches: readonly (readonly [what: string, patch: TaskPatch])[] = [
    ["clearing a standard input", { standard_input: null }],
    ["setting a standard input and an unchanged name", { name: "Nightly", standard_input: "other" }],
    ["an unchanged part of the retry settings", { retry: { max_attempts: 3 } }],
    ["an unchanged part of the concurrency settings", { concurrency: { limit: 2 } }],
    ["an unchanged part of the retention settings", { retention: { runs: 7 } }],
    ["removing a variable", { environment: { LEVEL: null } }],
  ];
  test.each(patches)("%s", async (_, patch) => {
    await using lossy = await startLossyDaemon();
    const task = await addTask(lossy.client);
    expect(await lossy.settleLost("request", () => lossy.client.tasks.update(task.id, patch))).toBe("unknown");
    expect(
      await lossy.settleLost("request", () => lossy.client.tasks.update(task.id, patch, { ifMatch: task.revision })),
    ).toBe("not_committed");
    expect(await lossy.client.tasks.get(task.id)).toEqual(task);
  });

  test.each([
    ["misfire", { misfire: { policy: "skip" } }],
    ["daylight saving", { dst: { gap: "skip" } }],
  ] as const)("an unchanged part of the %s settings", async (_, patch) => {
    await using lossy = await startLossyDaemon();
    const { id } = await addTask(lossy.client);
    const { schedules } = lossy.client;
    const schedule = await schedules.create({
      task_id: id,
      kind: "cron",
      expression: "0 3 * * *",
      misfire: { policy: "skip", window: "2h" },
      dst: { gap: "skip", overlap: "both" },
    });
    const ifMatch = schedule.revision;
    expect(await lossy.settleLost("request", () => schedules.update(schedule.id, patch))).toBe("unknown");
    expect(await lossy.settleLost("request", () => schedules.update(schedule.id, patch, { ifMatch }))).toBe(
      "not_committed",
    );
  });

  test("a pause of a paused schedule", async () => {
    await using lossy = await startLossyDaemon();
    const { schedules } = lossy.client;
    const { id } = await addSchedule(lossy.client);
    await schedules.pause(id, { until: "2999-01-01T00:00:00Z" });
    expect(await lossy.settleLost("request", () => schedules.pause(id, { until: null }))).toBe("not_committed");
    expect(await lossy.settleLost("request", () => schedules.pause(id))).toBe("not_committed");
    const later = { until: "2999-01-01T00:00:00-01:00" };
    expect(await lossy.settleLost("request", () => schedules.pause(id, later))).toBe("not_committed");
    await schedules.pause(id);
    expect(await lossy.settleLost("request", () => schedules.pause(id, later))).toBe("not_committed");
  });

  test("a call with a key that another operation used", async () => {
    await using lossy = await startLossyDaemon();
    const { groups, tasks } = lossy.client;
    const options = { idempotencyKey: "nightly" };
    await groups.create({ name: "Backups" }, options);
    expect(await lossy.settleLost("request", () => tasks.create({ name: "Nightly" }, options))).toBe("unknown");
    expect((await tasks.list()).tasks).toEqual([]);
  });

  test("a second cancel, which skips the grace period", async () => {
    await using lossy = await startLossyDaemon();
    const { runs, tasks } = lossy.client;
    const script = "trap '' TERM; echo deaf; while :; do sleep 0.05; done";
    const { id } = await tasks.create({ name: "Deaf", command: { kind: "shell", script }, kill_grace: "1h" });
    const run = await tasks.run(id);
    await until("the script ignores TERM", async () => (await runs.outputText(run.id)) === "deaf\n");
    expect(await lossy.settleLost("request", () => runs.cancel(run.id))).toBe("not_committed");
    expect((await runs.cancel(run.id)).state).toBe("cancelling");
    expect(await lossy.settleLost("request", () => runs.cancel(run.id))).toBe("unknown");
    // the run may have ended before the client looks
    const afterKill = await lossy.settleLost("answer", () => runs.cancel(run.id));
    expect(["unknown", "committed"]).toContain(afterKill);
    await until("the second cancel has ended it", async () => (await runs.get(run.id)).state === "cancelled");
  });

  test("a reset of a previous identity, which the daemon rejects", async () => {
    await using lossy = await startLossyDaemon();
    const { manifest } = lossy.client;
    const { installation_id: former } = await manifest.get();
    expect(await lossy.settleLost("request", () => manifest.reset(former))).toBe("not_committed");
    const { revision } = await manifest.reset(former);
    expect(await lossy.settleLost("request", () => manifest.reset(former))).toBe("unknown");
    expect(await lossy.settleLost("answer", () => manifest.reset(former))).toBe("unknown");
    expect(await lossy.settleLost("request", () => manifest.reset(former, { ifMatch: revision }))).toBe(
      "not_committed",
    );
  });
});

describe("settle() reports a lost answer as committed if the resource shows the change", () => {
  const patches: readonly (readonly [what: string, patch: TaskPatch])[] = [
    ["a name", { name: "Weekly" }],
    ["no timeout", { timeout: null }],
    ["all retry settings", { retry: { ...retry, max_attempts: 4 } }],
    ["a command", { command: { kind: "shell", script: "false" } }],
    ["labels set and removed", { labels: { team: null, tier: "2" } }],
  ];
  test.each(patches)("%s", async (_, patch) => {
    await using lossy = await startLossyDaemon();
    const { id, revision } = await addTask(lossy.client);
    const options = { ifMatch: revision };
    expect(await lossy.settleLost("answer", () => lossy.client.tasks.update(id, patch, options))).toBe("committed");
  });

  test("a pause, in any notation of its end", async () => {
    await using lossy = await startLossyDaemon();
    const { schedules } = lossy.client;
    const { id } = await addSchedule(lossy.client);
    for (const pause of [undefined, { until: "2999-01-01T01:00:00+01:00" }, { until: null }]) {
      expect(await lossy.settleLost("answer", () => schedules.pause(id, pause))).toBe("committed");
    }
  });

  test("the cancel of a queued run", async () => {
    await using lossy = await startLossyDaemon();
    const { runs, tasks } = lossy.client;
    const { id } = await addTask(lossy.client);
    const run = await tasks.run(id, { scheduled_for: "2999-01-01T00:00:00Z" });
    expect(await lossy.settleLost("request", () => runs.cancel(run.id))).toBe("not_committed");
    expect(await lossy.settleLost("answer", () => runs.cancel(run.id))).toBe("committed");
  });
});

function addTask({ tasks }: Client): Promise<Task> {
  return tasks.create({
    name: "Nightly",
    command,
    timeout: "90m",
    standard_input: "secret",
    environment: { LEVEL: "full" },
    labels: { team: "infra" },
    retry,
    concurrency: { limit: 2, on_conflict: "skip" },
    retention: { runs: 7, age: "1d" },
  });
}

async function addSchedule(client: Client) {
  const { id } = await addTask(client);
  return client.schedules.create({ task_id: id, kind: "interval", every: "1h" });
}

type Lost = "request" | "answer";

/** A real daemon behind a socket that can lose a mutation's request or its answer. */
async function startLossyDaemon() {
  const daemon = await startDaemon();
  const dir = await tempDir();
  const socketPath = join(dir.path, "between.sock");
  let loses: Lost | null = null;
  const server = createServer((incoming, outgoing) => {
    const isLost = incoming.method !== "GET" && loses !== null;
    void text(incoming).then(async (body) => {
      if (isLost && loses === "request") return void outgoing.destroy();
      const answer = await forward(daemon, incoming, body);
      if (isLost) return void outgoing.destroy();
      outgoing.writeHead(answer.status, { "content-type": String(answer.headers["content-type"]) }).end(answer.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    client: connectLocal({ socketPath, delayMs: () => 0 }),
    settleLost: async (lost: Lost, change: () => PromiseLike<unknown>): Promise<Settlement> => {
      loses = lost;
      const error: unknown = await change().then(null, (reason: unknown) => reason);
      loses = null;
      if (!isUncertainOutcomeError(error)) throw new Error("the call had an answer", { cause: error });
      return error.settle();
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dir[Symbol.asyncDispose]();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

interface Incoming {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

function forward({ socketPath }: Harness, { method = "", url: path = "", headers }: Incoming, body: string) {
  const kept = ["accept", "content-type", "if-match", "idempotency-key"];
  const sent = Object.fromEntries(kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
  return callSocket(socketPath, { method, path, headers: sent, ...(body === "" ? {} : { body }) });
}

import { tempDir, until } from "@belfry/test-kit";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { callSocket, type Harness, startDaemon } from "../../server/tests/harness.ts";
import { type Client, isUncertainOutcomeError, type Settlement, type Task, type TaskPatch } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";

const command = { kind: "shell", script: "true" } as const;
const retry = { max_attempts: 3, delay: "5m", backoff: 2, max_delay: "1h", jitter: 0.1 };

describe("what never reached the daemon is not taken for done", () => {
  const patches: readonly (readonly [what: string, patch: TaskPatch])[] = [
    ["clearing a standard input", { standard_input: null }],
    ["setting a standard input beside what shows", { name: "Nightly", standard_input: "other" }],
    ["a part of the retry that stands", { retry: { max_attempts: 3 } }],
    ["a part of the concurrency that stands", { concurrency: { limit: 2 } }],
    ["a part of the retention that stands", { retention: { runs: 7 } }],
    ["removing a variable", { environment: { LEVEL: null } }],
  ];
  test.each(patches)("%s", async (_, patch) => {
    await using place = await openPlace();
    const task = await addTask(place.client);
    expect(await place.settleLost("request", () => place.client.tasks.update(task.id, patch))).toBe("unknown");
    expect(
      await place.settleLost("request", () => place.client.tasks.update(task.id, patch, { ifMatch: task.revision })),
    ).toBe("not_committed");
    expect(await place.client.tasks.get(task.id)).toEqual(task);
  });

  test.each([
    ["misfire", { misfire: { policy: "skip" } }],
    ["treatment of summer time", { dst: { gap: "skip" } }],
  ] as const)("a part of the %s that stands", async (_, patch) => {
    await using place = await openPlace();
    const { id } = await addTask(place.client);
    const { schedules } = place.client;
    const schedule = await schedules.create({
      task_id: id,
      kind: "cron",
      expression: "0 3 * * *",
      misfire: { policy: "skip", window: "2h" },
      dst: { gap: "skip", overlap: "both" },
    });
    const ifMatch = schedule.revision;
    expect(await place.settleLost("request", () => schedules.update(schedule.id, patch))).toBe("unknown");
    expect(await place.settleLost("request", () => schedules.update(schedule.id, patch, { ifMatch }))).toBe(
      "not_committed",
    );
  });

  test("a pause over another one", async () => {
    await using place = await openPlace();
    const { schedules } = place.client;
    const { id } = await addSchedule(place.client);
    await schedules.pause(id, { until: "2999-01-01T00:00:00Z" });
    expect(await place.settleLost("request", () => schedules.pause(id, { until: null }))).toBe("not_committed");
    expect(await place.settleLost("request", () => schedules.pause(id))).toBe("not_committed");
    const later = { until: "2999-01-01T00:00:00-01:00" };
    expect(await place.settleLost("request", () => schedules.pause(id, later))).toBe("not_committed");
    await schedules.pause(id);
    expect(await place.settleLost("request", () => schedules.pause(id, later))).toBe("not_committed");
  });

  test("a call whose key another operation used", async () => {
    await using place = await openPlace();
    const { groups, tasks } = place.client;
    const options = { idempotencyKey: "nightly" };
    await groups.create({ name: "Backups" }, options);
    expect(await place.settleLost("request", () => tasks.create({ name: "Nightly" }, options))).toBe("unknown");
    expect((await tasks.list()).tasks).toEqual([]);
  });

  test("a second cancel, which would have skipped the grace", async () => {
    await using place = await openPlace();
    const { runs, tasks } = place.client;
    const script = "trap '' TERM; echo deaf; while :; do sleep 0.05; done";
    const { id } = await tasks.create({ name: "Deaf", command: { kind: "shell", script }, kill_grace: "1h" });
    const run = await tasks.run(id);
    await until("it is deaf", async () => (await runs.outputText(run.id)) === "deaf\n");
    expect(await place.settleLost("request", () => runs.cancel(run.id))).toBe("not_committed");
    expect((await runs.cancel(run.id)).state).toBe("cancelling");
    expect(await place.settleLost("request", () => runs.cancel(run.id))).toBe("unknown");
    expect(await place.settleLost("answer", () => runs.cancel(run.id))).toBe("unknown");
    await until("the second one ended it", async () => (await runs.get(run.id)).state === "cancelled");
  });

  test("a reset of an identity that is gone, which would have been refused", async () => {
    await using place = await openPlace();
    const { manifest } = place.client;
    const { installation_id: former } = await manifest.get();
    expect(await place.settleLost("request", () => manifest.reset(former))).toBe("not_committed");
    const { revision } = await manifest.reset(former);
    expect(await place.settleLost("request", () => manifest.reset(former))).toBe("unknown");
    expect(await place.settleLost("answer", () => manifest.reset(former))).toBe("unknown");
    expect(await place.settleLost("request", () => manifest.reset(former, { ifMatch: revision }))).toBe(
      "not_committed",
    );
  });
});

describe("what reached the daemon is found where it shows", () => {
  const patches: readonly (readonly [what: string, patch: TaskPatch])[] = [
    ["a name", { name: "Weekly" }],
    ["no time limit", { timeout: null }],
    ["a whole retry", { retry: { ...retry, max_attempts: 4 } }],
    ["a command", { command: { kind: "shell", script: "false" } }],
    ["labels set and removed", { labels: { team: null, tier: "2" } }],
  ];
  test.each(patches)("%s", async (_, patch) => {
    await using place = await openPlace();
    const { id, revision } = await addTask(place.client);
    const options = { ifMatch: revision };
    expect(await place.settleLost("answer", () => place.client.tasks.update(id, patch, options))).toBe("committed");
  });

  test("a pause, however its end was written", async () => {
    await using place = await openPlace();
    const { schedules } = place.client;
    const { id } = await addSchedule(place.client);
    for (const pause of [undefined, { until: "2999-01-01T01:00:00+01:00" }, { until: null }]) {
      expect(await place.settleLost("answer", () => schedules.pause(id, pause))).toBe("committed");
    }
  });

  test("the cancel of a run that waits", async () => {
    await using place = await openPlace();
    const { runs, tasks } = place.client;
    const { id } = await addTask(place.client);
    const run = await tasks.run(id, { scheduled_for: "2999-01-01T00:00:00Z" });
    expect(await place.settleLost("request", () => runs.cancel(run.id))).toBe("not_committed");
    expect(await place.settleLost("answer", () => runs.cancel(run.id))).toBe("committed");
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

/** A real daemon behind a socket that can lose a change on its way there, or its answer on the way back. */
async function openPlace() {
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
      if (!isUncertainOutcomeError(error)) throw new Error("it was not lost", { cause: error });
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

interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

function forward({ socketPath }: Harness, { method = "", url: path = "", headers }: Asked, body: string) {
  const kept = ["accept", "content-type", "if-match", "idempotency-key"];
  const sent = Object.fromEntries(kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
  return callSocket(socketPath, { method, path, headers: sent, ...(body === "" ? {} : { body }) });
}

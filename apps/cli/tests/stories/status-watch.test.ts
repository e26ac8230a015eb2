import { createClient } from "@belfry/client";
import { localTransport } from "@belfry/client/local";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import type { AnyClient } from "../../src/any-client.ts";
import type { Host } from "../../src/host.ts";
import { Output } from "../../src/output/output.ts";
import { pause } from "../../src/pause.ts";
import { watchStatus } from "../../src/status/watch-status.ts";
import { startBelfry } from "../belfry.ts";

test("a watched status on a terminal leaves no line of progress behind", async () => {
  await using belfry = await startBelfry();
  const ctrlC = new AbortController();
  let progress = "";
  let drawn = "";
  const watching = belfry.call(["status", "--watch"], {
    columns: 80,
    interrupt: ctrlC.signal,
    onStderr: (text) => (progress += text),
    onStdout: (text) => (drawn += text),
  });
  await until("several drawings", () => drawn.split("No run has failed since yesterday").length > 4);
  const left = progress;
  ctrlC.abort();
  expect(await watching).toMatchObject({ code: 0 });
  // on a slow machine, progress may have been shown before the first drawing, but it was erased
  expect(left === "" || left.endsWith("\u001B[K")).toBe(true);
});

test("events name the tasks of runs, also after a task is renamed", async () => {
  await using belfry = await startBelfry();
  const ctrlC = new AbortController();
  let printed = "";
  const watching = belfry.call(["events"], { interrupt: ctrlC.signal, onStdout: (text) => (printed += text) });
  await until("the stream", () => printed !== "");
  await belfry.text("task", "add", "Deploy", "--", "true");
  await belfry.text("task", "run", "Deploy", "--wait");
  await until("the end of the run", () => /  succeeded  success  Deploy\n/.test(printed));
  await belfry.text("task", "edit", "Deploy", "--name", "Release");
  await belfry.text("task", "run", "Release", "--wait");
  await until("the end of the next run", () => /  succeeded  success  Release\n/.test(printed));
  ctrlC.abort();
  expect(await watching).toMatchObject({ code: 0, stderr: "" });
});

test("an event that arrives while the status is read says nothing about the daemon", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Deploy", "--", "true");
  const client = createClient({ transport: localTransport(() => [belfry.daemon.socketPath]) });
  const ctrlC = new AbortController();
  let printed = "";
  const host = newHost(ctrlC.signal, (text) => (printed += text));
  let events = 0;
  // each reading of the status waits for an event
  const eventful: AnyClient = {
    ...client,
    events: {
      ...client.events,
      subscribe: async function* (query) {
        for await (const event of client.events.subscribe(query)) {
          yield event;
          events += 1;
        }
      },
    },
    manifest: {
      ...client.manifest,
      get: (async () => {
        const former = events;
        await until("an event", async () => {
          await belfry.call(["task", "edit", "Deploy", "--priority", String(Date.now() % 100)]);
          return events > former;
        });
        return client.manifest.get();
      }) as AnyClient["manifest"]["get"],
    },
  };
  const watching = watchStatus(eventful, { host, out: new Output(host, false) });
  await until("two statuses", () => printed.split("No run has failed since yesterday").length > 2);
  ctrlC.abort();
  await watching;
  expect(printed).not.toContain("does not respond");
});

test("an error of the API ends a watched status, although events go on", async () => {
  await using belfry = await startBelfry();
  const client = createClient({ transport: localTransport(() => [belfry.daemon.socketPath]) });
  const ended = Promise.withResolvers<void>();
  const failing: AnyClient = {
    ...client,
    events: {
      ...client.events,
      subscribe: async function* (query) {
        try {
          yield* client.events.subscribe(query);
        } finally {
          ended.resolve();
        }
      },
    },
    manifest: { ...client.manifest, get: () => Promise.reject(new Error("no")) as never },
  };
  const host = newHost(new AbortController().signal, () => {});
  await expect(watchStatus(failing, { host, out: new Output(host, false) })).rejects.toThrow("no");
  // an open stream would keep the process alive
  await expect(ended.promise).resolves.toBeUndefined();
});

test("a watched status says when the daemon does not respond", async () => {
  const belfry = await startBelfry();
  const ctrlC = new AbortController();
  let printed = "";
  const watching = belfry.call(["status", "--watch"], {
    interrupt: ctrlC.signal,
    onStdout: (text) => (printed += text),
  });
  await until("the status", () => printed.includes("No run has failed"));
  expect(printed).not.toContain("does not respond");
  await belfry[Symbol.asyncDispose]();
  await until("the sentence", async () => {
    await pause(100);
    return printed.includes("The daemon does not respond");
  });
  const once = printed;
  await pause(3_000);
  ctrlC.abort();
  expect(await watching).toMatchObject({ code: 0 });
  expect(printed).toBe(once);
});

function newHost(signal: AbortSignal, write: (text: string) => void): Host {
  return {
    ownsProcess: false,
    stdin: (async function* () {})(),
    stdout: { write: (data) => write(String(data)) },
    stderr: { write: () => {} },
    environment: {},
    keychain: null,
    now: Date.now,
    onInterrupt: (work) => {
      signal.addEventListener("abort", work);
      return { [Symbol.dispose]: () => signal.removeEventListener("abort", work) };
    },
    exit: () => {},
  };
}

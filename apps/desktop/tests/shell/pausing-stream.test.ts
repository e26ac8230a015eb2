import { ConnectionError } from "@belfry/client";
import { until } from "@belfry/test-kit";
import { queryObjects } from "node:v8";
import { expect, test } from "vitest";
import { openPausingStream } from "../../src/shell/pausing-stream.ts";
import { PausedStreamError, ShellError } from "../../src/shell/shell.ts";

/** A tab, and a daemon whose streams begin with their number. */
function world() {
  let isHidden = false;
  const listeners = new Set<() => void>();
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const open = new Set<number>();
  const encoder = new TextEncoder();
  return {
    open,
    openings: () => controllers.length,
    send: (text: string) => controllers.at(-1)!.enqueue(encoder.encode(text)),
    end: () => controllers.at(-1)!.close(),
    fail: (error: Error) => controllers.at(-1)!.error(error),
    show: (isShown: boolean) => {
      isHidden = !isShown;
      for (const listener of listeners) listener();
    },
    listeners,
    visibility: {
      isHidden: () => isHidden,
      onVisibility: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    fetch: async (signal: AbortSignal) => {
      const number = controllers.length + 1;
      open.add(number);
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controllers.push(controller);
          controller.enqueue(encoder.encode(`data: hello ${number}\n\n`));
          signal.addEventListener("abort", () => {
            open.delete(number);
            controller.error(new Error("aborted"));
          });
        },
        cancel: () => void open.delete(number),
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  };
}

const soon = { hiddenMs: 20, commentMs: 5, reopenMs: 60_000 };

type Options = Parameters<typeof openPausingStream>[0];

function openIn({ fetch, visibility }: ReturnType<typeof world>, options: Partial<Options> = {}): Promise<Response> {
  return openPausingStream({ open: fetch, signal: new AbortController().signal, visibility, pauses: soon, ...options });
}

/** Reads on, and keeps the text without comments. */
function collect(answer: Response) {
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();
  const read = { text: "", comments: 0, isEnded: false, error: null as unknown };
  const done = (async () => {
    for (;;) {
      const next = await reader.read();
      if (next.done) break;
      const text = decoder.decode(next.value, { stream: true });
      if (text === ":\n\n") read.comments += 1;
      else read.text += text;
    }
    read.isEnded = true;
  })();
  done.catch((error: unknown) => Object.assign(read, { isEnded: true, error }));
  return Object.assign(read, { cancel: () => reader.cancel() });
}

test("a hidden tab lets go of its stream, and gets another when it is seen, within one stream", async () => {
  const tab = world();
  const read = collect(await openIn(tab));
  await until("the first", () => read.text === "data: hello 1\n\n");
  tab.show(false);
  await until("the pause", () => tab.open.size === 0 && read.comments > 1);
  expect([tab.openings(), read.isEnded]).toEqual([1, false]);
  tab.show(true);
  await until("the second", () => read.text.endsWith("data: hello 2\n\n"));
  tab.end();
  await until("the end", () => read.isEnded);
  expect(read.text).toBe("data: hello 1\n\ndata: hello 2\n\n");
});

test("a tab that is hidden from the beginning opens nothing until it is seen", async () => {
  const tab = world();
  tab.show(false);
  const answer = await openIn(tab);
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  const read = collect(answer);
  await until("some comments", () => read.comments > 2);
  expect(tab.openings()).toBe(0);
  tab.show(true);
  await until("the first", () => read.text === "data: hello 1\n\n");
});

test("a pause never breaks an event", async () => {
  const tab = world();
  const read = collect(await openIn(tab));
  await until("the first", () => read.text !== "");
  tab.send("data: ha");
  await until("the half", () => read.text.endsWith("ha"));
  tab.show(false);
  await new Promise((resolve) => setTimeout(resolve, 3 * soon.hiddenMs));
  expect([...tab.open]).toEqual([1]);
  tab.send("lf\n\n");
  await until("the pause", () => tab.open.size === 0);
  expect(read.text).toBe("data: hello 1\n\ndata: half\n\n");
});

test("a tab that is seen again in time keeps its stream", async () => {
  const tab = world();
  const read = collect(await openIn(tab, { pauses: { ...soon, hiddenMs: 60_000, commentMs: 60_000 } }));
  tab.show(false);
  tab.send("data: while hidden\n\n");
  await until("the event", () => read.text.includes("while hidden"));
  tab.show(true);
  expect([...tab.open]).toEqual([1]);
});

test.each([true, false])(
  "a reader that leaves ends the stream, and nothing listens any more (seen: %s)",
  async (isSeen) => {
    const tab = world();
    const read = collect(await openIn(tab));
    await until("the first", () => read.text !== "");
    tab.show(isSeen);
    if (!isSeen) await until("the pause", () => tab.open.size === 0);
    await read.cancel();
    await until("the end", () => tab.open.size === 0 && tab.listeners.size === 0);
    expect(tab.openings()).toBe(1);
  },
);

test("an answer that is an error is passed on as it is", async () => {
  const tab = world();
  const refused = new Response("no", { status: 403 });
  expect(await openIn(tab, { open: () => Promise.resolve(refused) })).toBe(refused);
});

test("a stream that cannot be opened again is a broken one", async () => {
  const tab = world();
  let isGone = false;
  const open = (signal: AbortSignal) => (isGone ? Promise.reject(new Error("gone")) : tab.fetch(signal));
  const read = collect(await openIn(tab, { open }));
  await until("the first", () => read.text !== "");
  tab.show(false);
  await until("the pause", () => tab.open.size === 0);
  isGone = true;
  tab.show(true);
  await until("the end", () => read.isEnded);
  expect(tab.listeners.size).toBe(0);
});

const away = new ConnectionError("The daemon is not running.");
const noShell = new ShellError("No answer.", { code: "shell_unreachable" });
const couldNot = "The event stream could not be opened again.";
/** What a stream does that has begun to answer, and sends nothing. */
const silent = (act: (controller: ReadableStreamDefaultController<Uint8Array>) => void) =>
  Promise.resolve(new Response(new ReadableStream<Uint8Array>({ start: act })));

test.each<[string, Options["open"], object]>([
  ["fails", () => Promise.reject(away), { message: away.message }],
  ["gets no answer from belfry ui", () => Promise.reject(noShell), { cause: noShell }],
  ["is refused", () => Promise.resolve(new Response("no", { status: 503 })), { message: couldNot }],
  ["ends before it sends anything", () => silent((one) => one.close()), { message: couldNot }],
  ["breaks before it sends anything", () => silent((one) => one.error(away)), { message: away.message }],
  [
    "takes too long",
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    { message: "The daemon did not answer within 0.02 seconds." },
  ],
])("a stream tells since when it paused if its next opening %s", async (_, reopen, expected) => {
  const tab = world();
  let isGone = false;
  const open = (signal: AbortSignal) => (isGone ? reopen(signal) : tab.fetch(signal));
  const begun = Date.now();
  const read = collect(await openIn(tab, { open, pauses: { ...soon, reopenMs: 20 } }));
  await until("the first", () => read.text !== "");
  tab.show(false);
  await until("the pause", () => tab.open.size === 0 && read.comments > 1);
  const pausedBy = Date.now();
  await until("a later time", () => Date.now() > pausedBy);
  isGone = true;
  tab.show(true);
  await until("the end", () => read.isEnded);
  expect(read.error).toBeInstanceOf(PausedStreamError);
  expect(read.error).toMatchObject(expected);
  const { pausedAt } = read.error as PausedStreamError;
  expect(pausedAt).toBeGreaterThanOrEqual(begun);
  expect(pausedAt).toBeLessThanOrEqual(pausedBy);
});

test("a stream that went on after a pause breaks like any other", async () => {
  const tab = world();
  const read = collect(await openIn(tab));
  await until("the first", () => read.text !== "");
  tab.show(false);
  await until("the pause", () => tab.open.size === 0);
  tab.show(true);
  await until("the second", () => read.text.endsWith("data: hello 2\n\n"));
  tab.fail(away);
  await until("the end", () => read.isEnded);
  expect(read.error).toBe(away);
});

test("a signal breaks the stream off while it pauses", async () => {
  const tab = world();
  const aborted = new AbortController();
  const read = collect(
    await openIn(tab, { signal: aborted.signal, pauses: { ...soon, hiddenMs: 1, commentMs: 60_000 } }),
  );
  await until("the first", () => read.text !== "");
  tab.show(false);
  await until("the pause", () => tab.open.size === 0);
  aborted.abort();
  await until("the end", () => read.isEnded);
  expect([tab.openings(), tab.listeners.size]).toEqual([1, 0]);
});

test("a stream keeps nothing of the events that were read", async () => {
  const tab = world();
  const reader = (await openIn(tab)).body!.getReader();
  await reader.read();
  const before = queryObjects(Promise, { format: "count" });
  for (let event = 0; event < 10_000; event++) {
    tab.send("data: event\n\n");
    await reader.read();
  }
  expect(queryObjects(Promise, { format: "count" }) - before).toBeLessThan(1_000);
  await reader.cancel();
});

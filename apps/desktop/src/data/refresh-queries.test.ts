import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createRefresh } from "./refresh-queries.ts";

const until = (what: string, isSo: () => boolean): Promise<void> => expect.poll(isSo, { message: what }).toBe(true);

/** Two lists of runs: the answers to one come when the test says so, and those to the other at once. */
function openLists() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const asked: { readonly signal: AbortSignal; readonly answer: (text: string) => void }[] = [];
  let quickReads = 0;
  const slow = new QueryObserver<string>(queries, {
    queryKey: ["slow"],
    meta: { kinds: ["run"] },
    queryFn: ({ signal }) => new Promise<string>((answer) => asked.push({ signal, answer })),
  });
  const quick = new QueryObserver<number>(queries, {
    queryKey: ["quick"],
    meta: { kinds: ["run", "task"] },
    queryFn: () => Promise.resolve(++quickReads),
  });
  const leave = [slow.subscribe(() => {}), quick.subscribe(() => {})];
  const end = new AbortController();
  return {
    asked,
    refresh: createRefresh(queries, end.signal),
    shown: () => slow.getCurrentResult().data,
    quickReads: () => quickReads,
    [Symbol.dispose]: () => {
      end.abort();
      for (const one of leave) one();
      queries.clear();
    },
  };
}

test("a read that is slower than the events is never cut off, and is followed by one more", async () => {
  using lists = openLists();
  lists.asked[0]!.answer("first");
  await until("the first answer", () => lists.shown() === "first");
  lists.refresh("run");
  await until("the second read", () => lists.asked.length === 2);
  const reads = lists.quickReads();
  await until("events for some pauses", () => {
    lists.refresh("run");
    return lists.quickReads() >= reads + 3;
  });
  expect([lists.asked.length, lists.asked[1]!.signal.aborted]).toEqual([2, false]);
  lists.asked[1]!.answer("second");
  await until("the second answer", () => lists.shown() === "second");
  await until("the third read", () => lists.asked.length === 3);
  lists.asked[2]!.answer("third");
  await until("the third answer", () => lists.shown() === "third");
});

test("what an event tells of during the first read is read once that has ended", async () => {
  using lists = openLists();
  const reads = lists.quickReads();
  lists.refresh("run");
  await until("the event", () => lists.quickReads() > reads);
  expect(lists.asked).toHaveLength(1);
  lists.asked[0]!.answer("Running");
  await until("the first answer", () => lists.shown() === "Running");
  await until("the second read", () => lists.asked.length === 2);
  lists.asked[1]!.answer("Succeeded");
  await until("the newer answer", () => lists.shown() === "Succeeded");
});

test("an event of another kind reads nothing that it does not concern", async () => {
  using lists = openLists();
  lists.asked[0]!.answer("first");
  await until("the first answer", () => lists.shown() === "first");
  const reads = lists.quickReads();
  lists.refresh("task");
  await until("the event", () => lists.quickReads() > reads);
  expect(lists.asked).toHaveLength(1);
});

test("what took long to read rests before it is read again", async () => {
  using lists = openLists();
  lists.asked[0]!.answer("first");
  await until("the first answer", () => lists.shown() === "first");
  lists.refresh("run");
  await until("the second read", () => lists.asked.length === 2);
  const begunAt = performance.now();
  const reads = lists.quickReads();
  await until("events for some pauses", () => {
    lists.refresh("run");
    return lists.quickReads() >= reads + 2;
  });
  const answeredAt = performance.now();
  lists.asked[1]!.answer("second");
  await until("the third read", () => {
    lists.refresh("run");
    return lists.asked.length === 3;
  });
  expect(performance.now() - answeredAt).toBeGreaterThan(1.5 * (answeredAt - begunAt));
});

test("what concerns everything is read again after each kind of event", async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let reads = 0;
  const audit = new QueryObserver(queries, {
    queryKey: ["audit"],
    meta: { kinds: "all" },
    queryFn: () => Promise.resolve(++reads),
  });
  const leave = audit.subscribe(() => {});
  await until("the first read", () => reads === 1);
  const end = new AbortController();
  createRefresh(queries, end.signal)("notification_delivery");
  await until("the read after the event", () => reads === 2);
  expect(reads).toBe(2);
  end.abort();
  leave();
});

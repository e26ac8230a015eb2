import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createSystemLookup } from "./system-lookup.ts";

function openLookup() {
  const clock = new ManualClock();
  const asked: string[] = [];
  const answers = new Map<string, (addresses: readonly string[]) => void>();
  const lookUp = createSystemLookup({
    clock,
    ask: (name) => {
      asked.push(name);
      return new Promise((resolve, reject) =>
        answers.set(name, (found) => (found.length > 0 ? resolve(found) : reject(new Error("not known")))),
      );
    },
  });
  const answer = async (name: string, ...addresses: readonly string[]): Promise<void> => {
    answers.get(name)!(addresses);
    await clock.advance(0);
  };
  return { clock, asked, lookUp, answer };
}

test("two names are looked up in parallel, and the others wait in their order", async () => {
  const { asked, lookUp, answer } = openLookup();
  const all = Promise.allSettled(["a", "b", "c", "d"].map(lookUp));
  expect(asked).toEqual(["a", "b"]);
  await answer("b", "2");
  expect(asked).toEqual(["a", "b", "c"]);
  await answer("c");
  await answer("a", "1");
  await answer("d", "4");
  const found = (await all).map((one) => (one.status === "fulfilled" ? one.value : "unknown"));
  expect(found).toEqual([["1"], ["2"], "unknown", ["4"]]);
});

test("simultaneous requests for a name share one lookup, and a later request begins a new lookup", async () => {
  const { asked, lookUp, answer } = openLookup();
  const all = Array.from({ length: 60 }, () => lookUp("a"));
  await answer("a", "1");
  expect(await Promise.all(all)).toEqual(all.map(() => ["1"]));
  const later = lookUp("a");
  await answer("a", "2");
  expect([await later, asked]).toEqual([["2"], ["a", "a"]]);
});

test("a lookup without a thread in time fails as exhausted, keeps its queue place, and leaves no timer", async () => {
  const { clock, asked, lookUp, answer } = openLookup();
  const dead = [lookUp("dead one"), lookUp("dead two")];
  const refusal = lookUp("living").catch((error: { readonly code: string }) => error.code);
  await clock.advance(4_000);
  expect(await refusal).toBe("EAGAIN");
  const again = lookUp("living");
  await answer("dead one");
  expect(asked).toEqual(["dead one", "dead two", "living"]);
  // the lookup has its turn now, and only the attempt's own time limit applies
  await clock.advance(4_000);
  await answer("living", "3");
  expect(await again).toEqual(["3"]);
  await answer("dead two");
  await Promise.allSettled(dead);
  expect(clock.pendingTimers).toBe(0);
});

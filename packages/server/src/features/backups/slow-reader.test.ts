import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { refuseSlowReader } from "./slow-reader.ts";

async function* endless(bytes: number) {
  for (;;) yield new Uint8Array(bytes);
}

/** Reads one piece every 10 seconds for an hour; returns the minute of the refusal. */
async function refusedAfter(bytes: number): Promise<number | null> {
  const clock = new ManualClock();
  const pieces = refuseSlowReader(endless(bytes), clock);
  for (; clock.monotonicMs() < 3_600_000; await clock.advance(10_000)) {
    const minute = clock.monotonicMs() / 60_000;
    const next = await pieces.next().catch((error: unknown) => error);
    if (next instanceof Error) return minute;
  }
  await pieces.return(undefined);
  return null;
}

test("a reader that takes less than 1 MiB a minute is refused after five minutes", async () => {
  expect(await refusedAfter(100_000)).toBe(5);
});

test("a slow reader that goes on is served", async () => {
  expect(await refusedAfter(200_000)).toBe(null);
});

import { ManualClock } from "@belfry/test-kit";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createConsole } from "./console.ts";

/** A reader that accepts this many writes and no more. */
function stallingAfter(writesMax: number) {
  const taken: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      if (taken.push(String(chunk)) <= writesMax) done();
    },
  });
  return { stream, taken };
}

test("for a reader that has stopped reading, the number of kept lines is bounded", () => {
  const { stream } = stallingAfter(0);
  const lines = createConsole(stream);
  for (let line = 0; line < 100_000; line++) lines.write(`line ${line} ${"x".repeat(100)}\n`);
  expect(stream.writableLength).toBeGreaterThan(200_000);
  expect(stream.writableLength).toBeLessThanOrEqual(256 * 1024);
});

test("a reader that has disconnected gets no more writes, and its disconnect ends nothing else", async () => {
  let writes = 0;
  const stream = new Writable({
    write: (_chunk, _encoding, done) => {
      writes++;
      done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    },
  });
  let hasEnded = false;
  stream.on("error", () => (hasEnded = true));
  const lines = createConsole(stream);
  for (let line = 0; line < 10; line++) {
    lines.write("line\n");
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([writes, hasEnded]).toEqual([1, false]);
  await lines.drained(new ManualClock(), 1_000);
});

test("the end waits for a reader that reads, and not for a stalled one", async () => {
  const clock = new ManualClock();
  const reading = stallingAfter(1);
  createConsole(reading.stream).write("last line\n");
  await createConsole(reading.stream).drained(clock, 1_000);
  expect(reading.taken).toEqual(["last line\n"]);

  const lines = createConsole(stallingAfter(0).stream);
  lines.write("never read\n");
  let isOver = false;
  void lines.drained(clock, 1_000).then(() => (isOver = true));
  await clock.advance(999);
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(isOver).toBe(true);
});

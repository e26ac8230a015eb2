import type { Run } from "@belfry/client";
import { expect, test } from "vitest";
import { runStateWord } from "../../data/run-words.ts";
import { sentenceOf } from "./run-words.ts";

const run = (parts: Partial<Run>) => ({ attempt: 1, reason_text: null, ...parts }) as Run;

test("a run in the pause before a retry says so, and how its last attempt ended", () => {
  const waiting = { text: "is queued: attempt 2 starts at 03:00" } as unknown as NonNullable<Run["waiting"]>;
  const pausing = run({ state: "queued", attempt: 2, reason_text: "exited with code 4", waiting });
  expect(sentenceOf(pausing)).toBe("Attempt 1 exited with code 4. The run is queued: attempt 2 starts at 03:00.");
  expect(runStateWord(pausing)).toBe("Waits to retry");
});

test("every other run says why it is where it is", () => {
  expect(sentenceOf(run({ state: "failed", reason_text: "exited with code 4" }))).toBe("The run exited with code 4.");
  expect(sentenceOf(run({ state: "queued" }))).toBe("The run is queued.");
  expect(sentenceOf(run({ state: "running" }))).toBe("The run is in progress.");
  expect(runStateWord(run({ state: "queued" }))).toBe("Queued");
});

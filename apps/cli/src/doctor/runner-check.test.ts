import { expect, test } from "vitest";
import { checkRunners } from "./runner-check.ts";

test("each runner that does not respond is an error that says what to do", () => {
  const silent = [{ pid: 4_321, since: "2026-03-01T12:00:00.000Z" }];
  expect(checkRunners({ silent_runners: silent })).toEqual([
    {
      subject: "runners",
      level: "bad",
      text: expect.stringMatching(/^process 4321 .* run: kill -KILL 4321\. Its runs/),
    },
  ]);
});

test("an order that several runners left unanswered is an error that says when it is sent again", () => {
  const paused = [{ run_id: "run_1", unanswered: 3, until: "2026-03-01T12:00:00.000Z" }];
  expect(checkRunners({ paused_starts: paused })).toEqual([
    {
      subject: "runners",
      level: "bad",
      text: expect.stringMatching(
        /^3 processes did not answer the order to start run_1, .* is sent again at .+\. If .* belfry run cancel run_1$/,
      ),
    },
  ]);
});

test("background processes that hold the output of many tasks are a warning that says what to do", () => {
  expect(checkRunners({ silent_runners: [], held_outputs: [{ pid: 7, held: 300, max: 400 }] })).toEqual([
    {
      subject: "runners",
      level: "warn",
      text: expect.stringMatching(/^background processes of 300 ended tasks .* 400\./),
    },
  ]);
});

test("a daemon whose runners respond, and an older one that does not report them, is fine", () => {
  for (const info of [{ silent_runners: [] }, {}])
    expect(checkRunners(info)).toEqual([{ subject: "runners", level: "good", text: "every runner process responds" }]);
});

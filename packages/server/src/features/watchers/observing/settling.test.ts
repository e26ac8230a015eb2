import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { dueAt, onChange, type Phase, quiet, release, rest, type Timings, whatIsDue } from "./settling.ts";

const timings: Timings = { debounceMs: 100, stabilityMs: 300, maxWaitMs: 1_000 };

describe("changes settle", () => {
  test("nothing is due while nothing has changed", () => {
    expect(dueAt(quiet, timings)).toBeNull();
    expect(whatIsDue(quiet, timings, 1e9)).toBeNull();
  });

  test("a first look is due after the debounce, and a second one after the stability", () => {
    const moving = onChange(quiet, 10);
    expect(whatIsDue(moving, timings, 109)).toBeNull();
    expect(whatIsDue(moving, timings, 110)).toBe("first_look");
    const resting = rest(moving, 115);
    expect(whatIsDue(resting, timings, 414)).toBeNull();
    expect(whatIsDue(resting, timings, 415)).toBe("second_look");
    expect(release(415, { remains: false })).toBe(quiet);
  });

  test("each change begins the debounce again, and a change while files rest does too", () => {
    const again = onChange(onChange(quiet, 0), 60);
    expect(dueAt(again, timings)).toBe(160);
    expect(dueAt(onChange(rest(again, 160), 200), timings)).toBe(300);
  });

  test("a change that is noticed late does not bring the debounce forward", () => {
    expect(dueAt(onChange(onChange(quiet, 50), 20), timings)).toBe(150);
  });

  test("a look that is due with the end of max_wait goes first: it releases more", () => {
    const moving: Phase = { is: "moving", firstAt: 0, lastAt: 900 };
    expect(whatIsDue(moving, timings, 1_000)).toBe("first_look");
    expect(whatIsDue({ ...moving, lastAt: 901 }, timings, 1_000)).toBe("max_wait");
    const resting: Phase = { is: "resting", firstAt: 0, sinceAt: 700 };
    expect(whatIsDue(resting, timings, 1_000)).toBe("second_look");
    expect(whatIsDue({ ...resting, sinceAt: 701 }, timings, 1_000)).toBe("max_wait");
  });

  test("files that remain after max_wait have a new one", () => {
    expect(release(1_000, { remains: true })).toEqual({ is: "moving", firstAt: 1_000, lastAt: 1_000 });
  });
});

/** The definition without phases: all changes since the last release, and since when all files rest. */
interface Model {
  changes: number[];
  restsSince: number | null;
}

function modelDue({ changes, restsSince }: Model, { debounceMs, stabilityMs, maxWaitMs }: Timings): number | null {
  if (changes.length === 0) return null;
  const look = restsSince === null ? Math.max(...changes) + debounceMs : restsSince + stabilityMs;
  return Math.min(look, changes[0]! + maxWaitMs);
}

test("any order of changes and looks agrees with a list of changes", () => {
  const action = fc.record({
    is: fc.constantFrom("change", "wait", "change", "until_due"),
    ms: fc.integer({ min: 0, max: 400 }),
    isLate: fc.boolean(),
    remains: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      let phase: Phase = quiet;
      const model: Model = { changes: [], restsSince: null };
      let now = 0;
      for (const { is, ms, isLate, remains } of actions) {
        const due = dueAt(phase, timings);
        now = is === "until_due" && due !== null ? Math.max(now, due) : now + ms;
        if (is === "change") {
          const at = isLate && phase.is === "moving" ? Math.max(phase.firstAt, now - 50) : now;
          phase = onChange(phase, at);
          model.changes.push(at);
          model.restsSince = null;
        }
        const modelAt = modelDue(model, timings);
        expect(dueAt(phase, timings)).toBe(modelAt);
        const what = whatIsDue(phase, timings, now);
        expect(what !== null).toBe(modelAt !== null && now >= modelAt);
        if (what === "first_look") {
          phase = rest(phase, now);
          model.restsSince = now;
        } else if (what !== null) {
          const isLeft = what === "max_wait" && remains;
          phase = release(now, { remains: isLeft });
          model.changes = isLeft ? [now] : [];
          model.restsSince = null;
        }
      }
    }),
  );
});

test("files that keep changing are looked at no later than max_wait after the first change", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 20, maxLength: 60 }), (gaps) => {
      let phase: Phase = quiet;
      let now = 0;
      for (const gap of gaps) {
        phase = onChange(phase, now);
        now += gap;
        if (now >= timings.maxWaitMs) break;
        expect(whatIsDue(phase, timings, now)).toBeNull();
      }
      if (now >= timings.maxWaitMs) expect(whatIsDue(phase, timings, now)).toBe("max_wait");
    }),
  );
});

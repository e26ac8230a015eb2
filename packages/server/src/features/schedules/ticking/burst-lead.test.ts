import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createBurstLead } from "./burst-lead.ts";

/** A lead before one instant, at which this many schedules are due. */
function openLead(count: number, { canBlock = true } = {}) {
  const clock = Object.assign(new ManualClock(), canBlock ? { block: () => {} } : {});
  const at = clock.now() + 10_000;
  const store = {
    findNextDue: () => at,
    countDueAt: (asked: number, limit: number) => (asked === at ? Math.min(count, limit) : 0),
  };
  const lead = createBurstLead({ clock, store, batchSize: 100 });
  return {
    lead,
    at,
    leadMs: () => at - lead.roundFor(at),
    /** Sets the clock to so long before the instant. */
    setBefore: (ms: number) => clock.jump(at - ms - clock.now()),
  };
}

test("few schedules at one instant are handled at it", () => {
  const { lead, leadMs, setBefore } = openLead(19);
  expect(leadMs()).toBe(0);
  setBefore(1);
  expect(lead.find()).toBeNull();
});

test("a burst is handled before its instant, and neither earlier nor once it is due", () => {
  const { lead, at, leadMs, setBefore } = openLead(100);
  expect(leadMs()).toBe(11);
  setBefore(12);
  expect(lead.find()).toBeNull();
  setBefore(11);
  expect(lead.find()).toMatchObject({ at });
  setBefore(0);
  expect(lead.find()).toBeNull();
});

test("the lead follows what the bursts take, up to its limit", () => {
  const { lead, leadMs, setBefore } = openLead(100);
  const burst = (tookMs: number): void => {
    setBefore(5);
    lead.find()!.onReady(5 - tookMs);
  };
  for (let each = 0; each < 20; each++) burst(15);
  expect(leadMs()).toBeGreaterThanOrEqual(15);
  expect(leadMs()).toBeLessThanOrEqual(17);
  for (let each = 0; each < 20; each++) burst(500);
  expect(leadMs()).toBe(25);
});

test("without a clock that can block, nothing is handled before its instant", () => {
  const { lead, leadMs, setBefore } = openLead(100, { canBlock: false });
  expect(leadMs()).toBe(0);
  setBefore(5);
  expect(lead.find()).toBeNull();
});

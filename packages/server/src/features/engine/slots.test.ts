import { describe, expect, test } from "vitest";
import { createSlots, type Limits } from "./slots.ts";

const alone = (taskId: string, taskMax: number): Limits => ({ pool: { id: taskId, max: taskMax }, groups: [] });
const within = (taskId: string, ...groups: Limits["groups"]): Limits => ({ pool: { id: taskId, max: 100 }, groups });

describe("slots", () => {
  test("a task has as many slots as its limit, whatever other tasks use", () => {
    const slots = createSlots(10);
    slots.take(alone("a", 2));
    expect(slots.refusal(alone("a", 2))).toBeNull();
    slots.take(alone("a", 2));
    expect(slots.refusal(alone("a", 2))).toBe("pool");
    expect(slots.refusal(alone("b", 1))).toBeNull();
  });

  test("a group counts the runs of everything below it", () => {
    const slots = createSlots(10);
    const top = { id: "top", max: 2 };
    slots.take(within("a", { id: "left", max: null }, top));
    slots.take(within("b", { id: "right", max: null }, top));
    expect(slots.refusal(within("c", top))).toBe("group");
    expect(slots.refusal(within("c", { id: "elsewhere", max: 1 }))).toBeNull();
  });

  test("one full group of several prevents a start, however many slots the other groups have", () => {
    const slots = createSlots(10);
    const groups = [
      { id: "near", max: 1 },
      { id: "far", max: 5 },
    ];
    slots.take(within("a", ...groups));
    expect(slots.refusal(within("b", ...groups))).toBe("group");
    expect(slots.refusal(within("b", groups[1]!))).toBeNull();
  });

  test("a group without a limit prevents no start", () => {
    const slots = createSlots(10);
    for (let taken = 0; taken < 9; taken++) slots.take(within(`task ${taken}`, { id: "open", max: null }));
    expect(slots.refusal(within("one more", { id: "open", max: null }))).toBeNull();
  });

  test("a daemon whose slots are used up refuses every run, and has no free slot", () => {
    const slots = createSlots(2);
    expect(slots.free).toBe(2);
    slots.take(alone("a", 1));
    slots.take(alone("b", 1));
    expect(slots.refusal(alone("a", 1))).toBe("all");
    expect(slots.free).toBe(0);
  });

  test("more runs than a lowered limit leave no slot free, not a negative number", () => {
    const slots = createSlots(1);
    slots.take(alone("a", 9));
    slots.take(alone("a", 9));
    expect(slots.free).toBe(0);
  });
});

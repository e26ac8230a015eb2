import { describe, expect, test } from "vitest";
import { createSearchNeed } from "./search-need.ts";

/** Writes that change runs, and searches at the end of a write. The first round has searched. */
function open() {
  let changes = 0;
  const need = createSearchNeed({ countStateChanges: () => changes });
  need.take(100);
  const search = (): (() => void) => {
    let undo = (): void => {};
    need.noteSearch({ onUndo: (forget) => void (undo = forget) });
    return undo;
  };
  return { need, search, change: (): void => void changes++ };
}

describe("a round searches", () => {
  test("the first time, and whenever it is wished, once for all wishes", () => {
    const need = createSearchNeed({ countStateChanges: () => 0 });
    expect([need.take(0), need.take(0)]).toEqual([true, false]);
    need.want();
    need.want();
    expect([need.take(0), need.take(0)]).toEqual([true, false]);
  });

  test("after a write that changed runs, unless that write has searched after its last change", () => {
    const { need, search, change } = open();
    change();
    need.noteChange();
    expect(need.take(100)).toBe(true);
    change();
    search();
    need.noteChange();
    expect(need.take(100)).toBe(false);
    change();
    need.noteChange();
    expect(need.take(100)).toBe(true);
  });

  test("after a write whose search was undone", () => {
    const { need, search } = open();
    const undo = search();
    undo();
    need.noteChange();
    expect(need.take(100)).toBe(true);
  });

  test("when the next run is due, and not before", () => {
    const { need } = open();
    expect(need.findNextDue(() => 200)).toBe(200);
    expect([need.take(199), need.take(200)]).toEqual([false, true]);
  });

  test("when the clock was set back, because the pauses move with it", () => {
    const { need } = open();
    need.findNextDue(() => 200);
    expect([need.take(30), need.take(30)]).toEqual([true, false]);
  });
});

test("the next due run is looked for from the last round that searched: one may have become due since then", () => {
  const { need } = open();
  const sinceOf = (): number => {
    let from = -1;
    need.findNextDue((since) => {
      from = since;
      return null;
    });
    return from;
  };
  expect([need.take(150), sinceOf()]).toEqual([false, 100]);
  need.want();
  expect([need.take(160), sinceOf()]).toEqual([true, 160]);
});

import { ManualClock, tempDir } from "@belfry/test-kit";
import type { Database as Sqlite } from "better-sqlite3";
import { fc } from "@belfry/test-kit/properties";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applicationId, openDatabase } from "./database.ts";
import { ClockSetBackError, commitWaitMaxMs, createWriter, type Reactions, type Unit } from "./write.ts";

type Fact =
  | { readonly name: "row.added"; readonly row: number }
  | { readonly name: "row.echoed"; readonly row: number }
  | { readonly name: "row.looped" };
type Reported = readonly [name: string, row?: number];

/** A writer on a real file, with one table of numbers and the list of facts that its listeners got. */
async function openWriter({
  reactions,
  wrap,
  block,
}: {
  readonly block?: (ms: number) => void;
  readonly reactions?: Partial<Reactions<Fact>>;
  readonly wrap?: (sqlite: Sqlite) => Sqlite;
} = {}) {
  const dir = await tempDir();
  const path = join(dir.path, "test.db");
  const { sqlite, close } = openDatabase(path);
  sqlite.pragma(`application_id = ${applicationId}`);
  sqlite.exec(
    "CREATE TABLE rows (row INTEGER PRIMARY KEY, parent INTEGER REFERENCES rows (row) DEFERRABLE INITIALLY DEFERRED)",
  );
  const other = openDatabase(path);
  const reported: Reported[] = [];
  const listenerErrors: unknown[] = [];
  const clock = Object.assign(new ManualClock(), block === undefined ? {} : { block });
  const writer = createWriter<Fact>({
    sqlite: wrap?.(sqlite) ?? sqlite,
    clock,
    reactions: {
      inTransaction: {},
      afterCommit: {
        "row.added": [({ name, row }) => void reported.push([name, row])],
        "row.echoed": [({ name, row }) => void reported.push([name, row])],
      },
      ...reactions,
    },
    onListenerError: (error) => void listenerErrors.push(error),
  });
  const insertion = sqlite.prepare("INSERT INTO rows (row, parent) VALUES (?, ?)");
  const add = (unit: Unit<Fact>, row: number, parent: number | null = null): number => {
    insertion.run(row, parent);
    unit.record({ name: "row.added", row });
    return row;
  };
  return {
    ...writer,
    clock,
    sqlite,
    reported,
    listenerErrors,
    add,
    /** The committed rows, as another connection sees them. */
    rows: () => other.sqlite.prepare("SELECT row FROM rows ORDER BY row").pluck().all() as number[],
    [Symbol.asyncDispose]: async () => {
      close();
      other.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe("a write", () => {
  test("is one transaction with one time: its rows appear together, and its result is returned", async () => {
    await using app = await openWriter();
    const result = app.write((unit) => {
      expect(unit.now).toBe(app.clock.now());
      app.add(unit, 1);
      expect(app.rows()).toEqual([]);
      return app.add(unit, 2);
    });
    expect(result).toBe(2);
    expect(app.rows()).toEqual([1, 2]);
    expect(app.reported).toEqual([
      ["row.added", 1],
      ["row.added", 2],
    ]);
  });

  test("that throws leaves no row and notifies no listener, and the next one works", async () => {
    await using app = await openWriter();
    const fail = () =>
      app.write((unit) => {
        app.add(unit, 1);
        throw new Error("no");
      });
    expect(fail).toThrow("no");
    expect([app.rows(), app.reported]).toEqual([[], []]);
    app.write((unit) => app.add(unit, 1));
    expect(app.rows()).toEqual([1]);
  });

  test("at an instant has its time, and appears at it", async () => {
    const seen: unknown[] = [];
    const block = (ms: number): void => {
      seen.push([app.clock.now() < at, app.rows()]);
      app.clock.jump(ms);
    };
    await using app = await openWriter({ block });
    const at = app.clock.now() + 20;
    const left: number[] = [];
    const commit = { at, onReady: (leftMs: number) => void left.push(leftMs) };
    app.write((unit) => {
      expect(unit.now).toBe(at);
      return app.add(unit, 1);
    }, commit);
    expect(left).toEqual([20]);
    expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(new Set(["[true,[]]"]));
    expect([app.clock.now() >= at, app.rows()]).toEqual([true, [1]]);
    app.clock.jump(5);
    app.write((unit) => app.add(unit, 2), commit);
    expect([left[1], seen.length, app.rows()]).toEqual([at - app.clock.now(), seen.length, [1, 2]]);
  });

  test.each([
    ["a clock that is set back", (clock: ManualClock) => clock.jump(-60_000)],
    ["an instant that is too far ahead", () => {}],
  ])("at an instant is undone by %s", async (_, setBack) => {
    await using app = await openWriter({ block: () => setBack(app.clock) });
    const at = app.clock.now() + (_.startsWith("a clock") ? 20 : commitWaitMaxMs + 1);
    const late = () => app.write((unit) => app.add(unit, 1), { at, onReady: () => {} });
    expect(late).toThrow(ClockSetBackError);
    expect([app.rows(), app.reported, app.sqlite.inTransaction]).toEqual([[], [], false]);
  });

  test("that violates a deferred constraint leaves no row and notifies no listener", async () => {
    await using app = await openWriter();
    expect(() => app.write((unit) => app.add(unit, 1, 99))).toThrow(/FOREIGN KEY/);
    expect([app.rows(), app.reported, app.sqlite.inTransaction]).toEqual([[], [], false]);
  });

  test("calls its undo handlers after a rollback, when the rows are as before, and never after a commit", async () => {
    await using app = await openWriter();
    const forgotten: (readonly [string, readonly number[]])[] = [];
    const remember = (unit: Unit<Fact>, name: string): void =>
      unit.onUndo(() => {
        expect(app.sqlite.inTransaction).toBe(false);
        forgotten.push([name, app.rows()]);
      });
    app.write((unit) => {
      remember(unit, "kept");
      app.add(unit, 1);
    });
    expect(forgotten).toEqual([]);
    const fail = () =>
      app.write((unit) => {
        remember(unit, "undone");
        app.add(unit, 2);
        throw new Error("no");
      });
    expect(fail).toThrow("no");
    expect(forgotten).toEqual([["undone", [1]]]);
    const failAtCommit = () =>
      app.write((unit) => {
        remember(unit, "undone at its commit");
        app.add(unit, 3, 99);
      });
    expect(failAtCommit).toThrow(/FOREIGN KEY/);
    expect(forgotten.slice(1)).toEqual([["undone at its commit", [1]]]);
  });

  test("that shares a commit calls only its own undo handlers, unless the whole commit is lost", async () => {
    await using app = await openWriter();
    const undone: string[] = [];
    const call = (name: string, row: number, { fails = false, parent }: { fails?: boolean; parent?: number } = {}) =>
      app.writeSoon((unit) => {
        unit.onUndo(() => void undone.push(name));
        app.add(unit, row, parent);
        if (fails) throw new Error("no");
      });
    await Promise.allSettled([call("first", 1), call("rejected", 2, { fails: true }), call("last", 3)]);
    expect([undone, app.rows()]).toEqual([["rejected"], [1, 3]]);
    undone.length = 0;
    // then each is done again by itself
    await Promise.allSettled([call("whole", 4), call("lost at the commit", 5, { parent: 99 })]);
    expect([undone.toSorted(), app.rows()]).toEqual([
      ["lost at the commit", "lost at the commit", "whole"],
      [1, 3, 4],
    ]);
  });

  test("within a write is refused, and undoes the outer write", async () => {
    await using app = await openWriter();
    const nest = () =>
      app.write((unit) => {
        app.add(unit, 1);
        app.write((inner) => app.add(inner, 2));
      });
    expect(nest).toThrow(/within a transaction/);
    expect([app.rows(), app.sqlite.inTransaction]).toEqual([[], false]);
  });

  test("cannot be given a promise", () => {
    const compiles = async (): Promise<void> => {
      await using app = await openWriter();
      // @ts-expect-error awaited work would outlive its transaction
      void app.write(async () => 1);
    };
    expect(compiles).toBeTypeOf("function");
  });
});

describe("facts", () => {
  test("are handled in the transaction, in their order, and then the facts that the handlers recorded", async () => {
    const order: string[] = [];
    await using app = await openWriter({
      reactions: {
        inTransaction: {
          "row.added": [
            (unit, { row }) => {
              order.push(`first ${row}`);
              unit.record({ name: "row.echoed", row: row * 10 });
            },
            (_unit, { row }) => void order.push(`second ${row}`),
          ],
          "row.echoed": [(_unit, { row }) => void order.push(`echo ${row}`)],
        },
      },
    });
    app.write((unit) => {
      app.add(unit, 1);
      app.add(unit, 2);
      order.push("work is done");
    });
    expect(order).toEqual(["work is done", "first 1", "second 1", "first 2", "second 2", "echo 10", "echo 20"]);
    expect(app.reported).toEqual([
      ["row.added", 1],
      ["row.added", 2],
      ["row.echoed", 10],
      ["row.echoed", 20],
    ]);
  });

  test("can be refused by a handler: then the write is undone, and no listener is notified", async () => {
    await using app = await openWriter({
      reactions: {
        inTransaction: {
          "row.added": [
            () => {
              throw new Error("not while a run lives");
            },
          ],
        },
      },
    });
    expect(() => app.write((unit) => app.add(unit, 1))).toThrow("not while a run lives");
    expect([app.rows(), app.reported]).toEqual([[], []]);
  });

  test("that cause each other without end are stopped, and the write is undone", async () => {
    await using app = await openWriter({
      reactions: { inTransaction: { "row.looped": [(unit) => unit.record({ name: "row.looped" })] } },
    });
    const loop = () =>
      app.write((unit) => {
        app.add(unit, 1);
        unit.record({ name: "row.looped" });
      });
    expect(loop).toThrow("reactions cause further reactions without end: row.looped");
    expect(app.rows()).toEqual([]);
  });

  test("can be ten thousand in one write", async () => {
    await using app = await openWriter({
      reactions: { inTransaction: { "row.added": [(unit, { row }) => unit.record({ name: "row.echoed", row })] } },
    });
    app.write((unit) => {
      for (let row = 0; row < 5_000; row++) app.add(unit, row);
    });
    expect(app.reported).toHaveLength(10_000);
  });
});

describe("a listener after the commit", () => {
  test("finds the committed rows on disk, and may write itself", async () => {
    await using app = await openWriter();
    const found: number[][] = [];
    const { write } = createWriter<Fact>({
      sqlite: app.sqlite,
      clock: app.clock,
      reactions: {
        inTransaction: {},
        afterCommit: {
          "row.added": [
            ({ row }) => {
              found.push(app.rows());
              if (row < 3) write((unit) => void app.add(unit, row + 1));
            },
          ],
        },
      },
      onListenerError: (error) => {
        throw error;
      },
    });
    write((unit) => void app.add(unit, 1));
    expect(found).toEqual([[1], [1, 2], [1, 2, 3]]);
  });

  test("that fails is reported, does not stop the others, and does not fail the write", async () => {
    const broken = new Error("broken");
    const reported: number[] = [];
    const fail = () => {
      throw broken;
    };
    await using app = await openWriter({
      reactions: { afterCommit: { "row.added": [fail, ({ row }) => void reported.push(row)] } },
    });
    expect(app.write((unit) => app.add(unit, 7))).toBe(7);
    expect([reported, app.listenerErrors, app.rows()]).toEqual([[7], [broken], [7]]);
  });
});

/** The same connection, with a list of the transactions it began. */
function counting(sqlite: Sqlite, ran: string[]): Sqlite {
  return new Proxy(sqlite, {
    get: (target, name) => {
      if (name !== "prepare") return Reflect.get(target, name, target) as unknown;
      return (sql: string) => {
        const statement = target.prepare(sql);
        return { run: () => (ran.push(sql), statement.run()) };
      };
    },
  });
}

describe("writes that arrive together", () => {
  test("share a commit, at most 64 in one", async () => {
    const ran: string[] = [];
    await using app = await openWriter({ wrap: (sqlite) => counting(sqlite, ran) });
    const rows = Array.from({ length: 130 }, (_, row) => row);
    const results = await Promise.all(rows.map((row) => app.writeSoon((unit) => app.add(unit, row))));
    expect(results).toEqual(rows);
    expect(app.rows()).toEqual(rows);
    expect(ran.filter((sql) => sql === "COMMIT")).toHaveLength(3);
    expect(app.reported.map(([, row]) => row)).toEqual(rows);
  });

  test("are each reported and resolved only when all of them are on disk", async () => {
    await using app = await openWriter();
    const seen: number[][] = [];
    const writing = [1, 2, 3].map((row) =>
      app.writeSoon((unit) => app.add(unit, row)).then(() => seen.push(app.rows())),
    );
    await Promise.all(writing);
    expect(seen).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test("fail individually: the others keep their rows", async () => {
    await using app = await openWriter();
    const outcomes = await Promise.allSettled([
      app.writeSoon((unit) => app.add(unit, 1)),
      app.writeSoon((unit) => {
        app.add(unit, 2);
        throw new Error("changed its mind");
      }),
      app.writeSoon((unit) => app.add(unit, 1)),
      app.writeSoon((unit) => app.add(unit, 2)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(app.rows()).toEqual([1, 2]);
    expect(app.reported).toEqual([
      ["row.added", 1],
      ["row.added", 2],
    ]);
  });

  test("see the rows of the writes before them", async () => {
    await using app = await openWriter();
    const count = () => app.sqlite.prepare("SELECT count(*) FROM rows").pluck().get() as number;
    const counts = await Promise.all([1, 2, 3].map((row) => app.writeSoon((unit) => (app.add(unit, row), count()))));
    expect(counts).toEqual([1, 2, 3]);
  });

  test("survive a write that makes their commit impossible: only that write is rejected", async () => {
    await using app = await openWriter();
    const outcomes = await Promise.allSettled([
      app.writeSoon((unit) => app.add(unit, 1)),
      app.writeSoon((unit) => app.add(unit, 2, 99)),
      app.writeSoon((unit) => app.add(unit, 3)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(app.rows()).toEqual([1, 3]);
    expect(app.reported).toEqual([
      ["row.added", 1],
      ["row.added", 3],
    ]);
  });

  test("are all rejected together if the database is locked, without a wait for each", async () => {
    const ran: string[] = [];
    await using app = await openWriter({ wrap: (sqlite) => counting(sqlite, ran) });
    app.sqlite.pragma("busy_timeout = 0");
    const other = openDatabase(app.sqlite.name);
    other.sqlite.exec("BEGIN IMMEDIATE");
    const outcomes = await Promise.allSettled([1, 2, 3].map((row) => app.writeSoon((unit) => app.add(unit, row))));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(ran).toEqual(["BEGIN IMMEDIATE"]);
    other.sqlite.exec("ROLLBACK");
    other.close();
    await app.writeSoon((unit) => app.add(unit, 1));
    expect(app.rows()).toEqual([1]);
  });

  test("are each complete or absent, in any combination", async () => {
    const call = fc.record({
      rows: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
      fails: fc.boolean(),
      parent: fc.constantFrom(null, 99),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 20 }), async (calls) => {
        await using app = await openWriter();
        const count = app.sqlite.prepare("SELECT count(*) FROM rows").pluck();
        let remembered: number | null = null;
        const writing = calls.map(({ rows, fails, parent }) =>
          app.writeSoon((unit) => {
            unit.onUndo(() => void (remembered = null));
            remembered ??= count.get() as number;
            expect(remembered).toBe(count.get());
            for (const row of rows) {
              app.add(unit, row, parent);
              remembered++;
            }
            if (fails) throw new Error("fails");
          }),
        );
        const outcomes = await Promise.allSettled(writing);
        const kept = new Set<number>();
        const expected: number[] = [];
        calls.forEach(({ rows, fails, parent }, index) => {
          const isWhole =
            !fails &&
            new Set(rows).size === rows.length &&
            rows.every((row) => !kept.has(row)) &&
            (parent === null || rows.length === 0);
          expect(outcomes[index]!.status).toBe(isWhole ? "fulfilled" : "rejected");
          if (!isWhole) return;
          for (const row of rows) kept.add(row);
          expected.push(...rows);
        });
        expect(app.rows()).toEqual([...kept].sort((a, b) => a - b));
        expect(app.reported.map(([, row]) => row)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});

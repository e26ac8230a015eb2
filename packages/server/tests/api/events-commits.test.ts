import { Hint } from "@belfry/contract";
import { seed } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { type Answer, type Harness, startDaemon } from "../support/harness.ts";
import { seeded } from "../support/seeded.ts";
import { fresh, makeTask, missing, query } from "../support/api.ts";
import { openStream } from "../support/stream.ts";

const mutations = 1_000;
const kinds = ["group", "task", "schedule", "chain"] as const;
type Kind = (typeof kinds)[number];
type Rows = Readonly<Record<Kind, ReadonlyMap<string, string>>>;

/** Reads every row of each kind, as a text by its id. */
function readRows(daemon: Harness): Rows {
  const rowsOf = (kind: Kind) =>
    new Map(
      query<{ id: string }>(daemon, `SELECT * FROM ${kind}s`).map((row) => [
        row.id,
        JSON.stringify(row, (_, value: unknown) => (Buffer.isBuffer(value) ? value.toString("hex") : value)),
      ]),
    );
  return { group: rowsOf("group"), task: rowsOf("task"), schedule: rowsOf("schedule"), chain: rowsOf("chain") };
}

/** The changes between two states, in the form `task updated tsk_…`. */
function changesBetween(before: Rows, after: Rows): readonly string[] {
  return kinds.flatMap((kind) => {
    const ids = new Set([...before[kind].keys(), ...after[kind].keys()]);
    return [...ids].flatMap((id) => {
      const [was, is] = [before[kind].get(id), after[kind].get(id)];
      if (was === is) return [];
      return [`${kind} ${was === undefined ? "created" : is === undefined ? "deleted" : "updated"} ${id}`];
    });
  });
}

/** Expressions that are not due while the test runs: a due schedule changes its row without a call. */
const rarely = { 3: "0 3 29 2 *", 4: "0 4 29 2 *", 5: "0 5 29 2 *" } as const;

/** A random call: some change something, some change nothing, some are refused. */
function createMutator(daemon: Harness, random: () => number) {
  const choose = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const idOf = (rows: Rows, kind: Kind): string => choose([...rows[kind].keys(), missing[kind]]);
  const named = ["one", "two", "three", "four", "five", "six"];
  const post = (path: string, body: object = {}) => daemon.call("POST", path, body);

  return (rows: Rows): Promise<Answer> => {
    const id = (kind: Kind) => idOf(rows, kind);
    const kind = choose(kinds);
    const patches: Readonly<Record<Kind, () => object>> = {
      group: () =>
        choose([
          { time_zone: choose(["UTC", "Asia/Tokyo", "Mars/Base"]) },
          { name: choose(named) },
          { parent_id: id("group") },
        ]),
      task: () =>
        choose([{ priority: choose([0, 1, 200]) }, { group_id: choose([null, id("group")]) }, { name: choose(named) }]),
      schedule: () =>
        choose([{ expression: choose([rarely[3], rarely[4], "61 * * * *"]) }, { enabled: random() < 0.5 }]),
      chain: () =>
        choose([
          { on_outcome: choose(["success", "failure", "any"]) },
          { target_task_id: id("task") },
          { source_task_id: id("task"), delay: choose(["0s", "5m"]) },
          { enabled: random() < 0.5 },
        ]),
    };
    const creations: Readonly<Record<Kind, () => object>> = {
      group: () => ({ name: choose([...named, fresh("group")]), parent_id: choose([null, id("group")]) }),
      task: () => ({
        name: fresh("task"),
        group_id: choose([null, id("group")]),
        command: { kind: "exec", program: "true" },
      }),
      schedule: () => ({ task_id: id("task"), kind: "cron", expression: choose([rarely[3], rarely[5], "x"]) }),
      chain: () => ({
        source_task_id: id("task"),
        target_task_id: id("task"),
        on_outcome: choose(["success", "failure", "any"]),
      }),
    };
    const place = random();
    if (place < 0.5) return post(`/v1/${kind}s`, creations[kind]());
    if (place < 0.8) return daemon.call("PATCH", `/v1/${kind}s/${id(kind)}`, patches[kind]());
    if (place < 0.9 && kind !== "chain") return post(`/v1/${kind}s/${id(kind)}/${choose(["enable", "disable"])}`);
    return daemon.call("DELETE", `/v1/${kind}s/${id(kind)}`);
  };
}

test(`the events of ${mutations} random changes equal their commits, one event each and in order (seed ${seed})`, async () => {
  await using daemon = await startDaemon();
  await using stream = await openStream(daemon.socketPath, `/v1/events?kinds=${kinds.join(",")}`);
  await stream.next();
  const mutate = createMutator(daemon, seeded(seed));
  const statuses = new Map<number, number>();
  let seen = 1;
  let rows = readRows(daemon);
  for (let count = 0; count < mutations; count++) {
    const { status, text } = await mutate(rows);
    expect(status, text).toBeLessThan(500);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const before = rows;
    rows = readRows(daemon);
    const expected = changesBetween(before, rows);
    await stream.until(`event ${seen + expected.length - 1}`, () => stream.frames.length >= seen + expected.length);
    const hints = stream.frames.slice(seen, seen + expected.length).map(({ data }) => Hint.parse(data));
    // events of one commit are in the order of its changes; none comes before the commit
    expect(hints.map(({ kind, verb, id }) => `${kind} ${verb} ${id}`).sort()).toEqual([...expected].sort());
    for (const hint of hints)
      if (hint.kind === "chain") expect("chain" in hint && hint.chain !== undefined).toBe(hint.verb !== "deleted");
    seen += expected.length;
  }
  const last = await makeTask(daemon);
  await stream.until("the last event", () => stream.frames.at(-1)?.data.id === last.id);
  expect(stream.frames.length, "events without a commit").toBe(seen + 1);
  expect(stream.frames.map(({ id }) => Number(id!.split("-")[1]))).toEqual(stream.frames.map((_, index) => index));
  console.log(
    `events: ${mutations} changes, answered ${[...statuses].map(([status, n]) => `${n} x ${status}`).join(", ")}; ${seen - 1} events`,
  );
  for (const status of [200, 201, 204, 400, 404]) expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(20);
}, 1_800_000);

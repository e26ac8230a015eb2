import type { AuditChain, AuditEvent } from "@belfry/client";
import { expect, test } from "vitest";
import { hashEvent } from "./event-hash.ts";
import { type TrailSource, verifyTrail } from "./verify-trail.ts";

const event = (number: number, previous: string | null, change: Partial<AuditEvent> = {}): AuditEvent => {
  const unhashed: AuditEvent = {
    id: `aud_${number}`,
    at: new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString(),
    actor_id: "act_1",
    actor_name: 'Ada "\u2028" Ümlaut',
    transport: "local",
    operation: "tasks.update",
    resource_type: "task",
    resource_id: "tsk_1",
    result: "allowed",
    error_code: null,
    request_id: "req_1",
    changed_fields: ["labels", "name"],
    previous_hash: previous,
    hash: "",
    ...change,
  };
  return { ...unhashed, hash: hashEvent(unhashed) };
};

/** A chain of so many events, oldest first. */
function chainOf(count: number, from: { number: number; hash: string | null } = { number: 0, hash: null }) {
  const events: AuditEvent[] = [];
  for (let done = 1; done <= count; done++)
    events.push(event(from.number + done, done === 1 ? from.hash : events.at(-1)!.hash));
  return events;
}

const markOf = (events: readonly AuditEvent[], number: number) => ({ number, hash: events[number - 1]!.hash });

function endsOf(events: readonly AuditEvent[], head: number, anchor = 0): AuditChain {
  return {
    head: head === 0 ? null : markOf(events, head),
    anchor: anchor === 0 ? null : markOf(events, anchor),
    authenticated_since: "2026-01-01T00:00:00.000Z",
    tampered_at: null,
  };
}

const newestFirst = (events: readonly AuditEvent[]) =>
  events.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : events.indexOf(b) - events.indexOf(a)));

/** A trail that does not change while it is read. */
function still(ends: AuditChain, rows: readonly AuditEvent[]): TrailSource {
  return {
    chain: () => Promise.resolve(ends),
    events: async function* () {
      yield* newestFirst(rows);
    },
  };
}

async function problemOf(source: TrailSource, keptHead?: { number: number; hash: string }): Promise<string | null> {
  const verdict = await verifyTrail(source, keptHead);
  return "problem" in verdict ? verdict.problem : null;
}

const events = chainOf(30);

test("an intact trail is verified: empty, whole, and with its oldest events pruned", async () => {
  expect(await verifyTrail(still(endsOf([], 0), []))).toEqual({ chain: endsOf([], 0), events: 0 });
  expect(await verifyTrail(still(endsOf(events, 30), events))).toEqual({ chain: endsOf(events, 30), events: 30 });
  expect(await verifyTrail(still(endsOf(events, 30, 10), events.slice(10)))).toMatchObject({ events: 20 });
  expect(await verifyTrail(still(endsOf(events, 30, 30), []))).toMatchObject({ events: 0 });
});

test("a change of any member of an event is found", async () => {
  for (const member of Object.keys(events[0]!) as (keyof AuditEvent)[]) {
    const value = member === "changed_fields" ? ["name"] : "other";
    const changed = events.with(11, { ...events[11]!, [member]: value });
    expect(await problemOf(still(endsOf(events, 30), changed)), member).toMatch(/^The record \S+ \(.*\) was changed: /);
    if (member === "hash") continue;
    // with the hash of the changed event, the event after it no longer follows
    const { hash: _hash, ...rest } = changed[11]!;
    const rehashed = events.with(11, event(12, events[10]!.hash, rest));
    expect(await problemOf(still(endsOf(events, 30), rehashed)), member).toBe(
      "Record 12, before the record aud_13 (tasks.update, 2026-01-01T00:00:13.000Z), is missing or was changed.",
    );
  }
});

test("the removal of any event is found", async () => {
  for (let number = 1; number <= 30; number++) {
    const problem = await problemOf(still(endsOf(events, 30), events.toSpliced(number - 1, 1)));
    expect(problem).toMatch(new RegExp(`^Record ${number}, .*is missing or was changed\\.$`));
  }
});

test("the removal of events at either end is found, also with the rest made to fit", async () => {
  for (const count of [1, 2, 29, 30]) {
    expect(await problemOf(still(endsOf(events, 30), events.slice(0, -count)))).toBe(
      "Record 30, the newest one, is missing or was changed.",
    );
    expect(await problemOf(still(endsOf(events, 30), events.slice(count)))).toMatch(/is missing or was changed/);
    expect(await problemOf(still(endsOf(events, 30, 3), events.slice(3 + Math.min(count, 27))))).toMatch(
      /is missing or was changed/,
    );
  }
  // a new beginning with the same number of events
  const replaced = chainOf(30).map((each, index) => (index === 0 ? event(1, null, { actor_name: "Eve" }) : each));
  expect(await problemOf(still(endsOf(events, 30), replaced))).toMatch(/^Record 1, before .*is missing or was changed/);
});

test("an added event is found, wherever and however it was added", async () => {
  const copies = [...events, events[4]!];
  expect(await problemOf(still(endsOf(events, 30), copies))).toBe(
    "The record aud_5 (tasks.update, 2026-01-01T00:00:05.000Z) occurs twice: another program added it.",
  );
  for (const previous of [null, events[3]!.hash, events[29]!.hash, "0".repeat(64)]) {
    for (const number of [0, 15, 31]) {
      const forged = event(number, previous, { actor_name: "Eve" });
      expect(await problemOf(still(endsOf(events, 30), [...events, forged]))).toMatch(/is not part of the chain/);
    }
  }
});

test("numbers that do not fit the events are found", async () => {
  const ends = { ...endsOf(events, 30), head: { number: 31, hash: events[29]!.hash } };
  expect(await problemOf(still(ends, events))).toBe(
    "The chain has 30 records, but their numbers say 31: another program added or removed records.",
  );
  const short = { ...endsOf(events, 30), head: { number: 29, hash: events[29]!.hash } };
  expect(await problemOf(still(short, events))).toMatch(/^The first record is not the beginning of the chain/);
  const anchored = { ...endsOf(events, 30, 10), anchor: { number: 11, hash: events[9]!.hash } };
  expect(await problemOf(still(anchored, events.slice(10)))).toMatch(/^The oldest record does not follow record 11/);
});

test("a trail whose whole chain was replaced is found by a head kept elsewhere, and so is an older copy", async () => {
  const kept = markOf(events, 20);
  expect(await problemOf(still(endsOf(events, 30), events), kept)).toBeNull();
  expect(await problemOf(still(endsOf(events, 30, 20), events.slice(20)), kept)).toBeNull();
  const other = chainOf(30, { number: 0, hash: null }).map((each) => ({ ...each }));
  other[0] = event(1, null, { actor_name: "Eve" });
  for (let index = 1; index < 30; index++) other[index] = event(index + 1, other[index - 1]!.hash);
  expect(await problemOf(still(endsOf(other, 30), other))).toBeNull();
  expect(await problemOf(still(endsOf(other, 30), other), kept)).toBe(
    "Record 20, the head given with --head, is not part of the chain: the records up to it were replaced.",
  );
  expect(await problemOf(still(endsOf(events, 10), events.slice(0, 10)), kept)).toBe(
    "Record 20, the head given with --head, comes after the newest record that is left: records were removed.",
  );
  expect(await problemOf(still(endsOf(events, 30, 25), events.slice(25)), kept)).toBe(
    "Record 20, the head given with --head, cannot be checked: the daemon has pruned it.",
  );
});

test("the daemon's own finding is a break even if every event fits", async () => {
  const ends = { ...endsOf(events, 30), tampered_at: "2026-01-02T00:00:00.000Z" };
  expect(await problemOf(still(ends, events))).toMatch(/on 2026-01-02T00:00:00.000Z the daemon found/);
});

test("steps of the clock are no break", async () => {
  const stepped: AuditEvent[] = [];
  for (let number = 1; number <= 200; number++) {
    const at = new Date(Date.UTC(2026, 0, 1) + ((number * 7_919) % 200) * 1_000).toISOString();
    stepped.push(event(number, stepped.at(-1)?.hash ?? null, { at }));
  }
  expect(await verifyTrail(still(endsOf(stepped, 200), stepped))).toMatchObject({ events: 200 });
});

/** A trail that grows and is pruned while it is read: `states` are its ends, before each event that is read. */
function moving(all: readonly AuditEvent[], at: (reads: number) => readonly [anchor: number, head: number]) {
  let reads = 0;
  const source: TrailSource = {
    chain: () => Promise.resolve(endsOf(all, at(reads)[1], at(reads)[0])),
    events: async function* () {
      // keyset pages: each event is looked up when it is read
      for (let position = all.length; position >= 1; position--) {
        const [anchor, head] = at(reads);
        if (position > head || position <= anchor) continue;
        reads += 1;
        yield all[position - 1]!;
      }
    },
  };
  return source;
}

test("events that are added and pruned during the verification are no break", async () => {
  const all = chainOf(400);
  for (const addedPer of [0, 1, 3]) {
    for (const prunedPer of [0, 1, 2]) {
      const source = moving(all, (reads) => [Math.min(prunedPer * reads, 90), Math.min(100 + addedPer * reads, 400)]);
      expect(await problemOf(source), `${addedPer} ${prunedPer}`).toBeNull();
    }
  }
  const allPruned = moving(all, (reads) => (reads < 20 ? [0, 100] : [150, 150]));
  expect(await problemOf(allPruned)).toBeNull();
});

test("an event that is missing or forged is found while others are added and pruned", async () => {
  const all = chainOf(200);
  const ends = (reads: number) => [Math.min(reads, 20), 100 + Math.min(reads, 100)] as const;
  const { chain, events: read } = moving(all, ends);
  const missing: TrailSource = {
    chain,
    events: async function* () {
      for await (const each of read()) if (each.id !== "aud_60") yield each;
    },
  };
  expect(await problemOf(missing)).toMatch(/^Record 60, before/);
  const forged: TrailSource = {
    chain,
    events: async function* () {
      yield event(900, all[99]!.hash, { actor_name: "Eve" });
      yield* read();
    },
  };
  expect(await problemOf(forged)).toMatch(/^The record aud_900 .* is not part of the chain/);
});

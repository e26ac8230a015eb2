import { fixtures } from "@belfry/webhook-schema/testing";
import { seed } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { findViolation } from "../../webhook-schema/src/find-violation.ts";
import { WebhookPayload } from "../src/webhook/payload.ts";
import { StrictWebhookPayload } from "./strict-payload.ts";
import { jsonValues, type Schema } from "@belfry/test-kit/json-values";
import { publishedSchema, validatorOf } from "./webhook-validator.ts";

const numRuns = 5_000;

const definitions = publishedSchema["$defs"] as Record<string, Schema>;
const payloads = Object.keys(definitions).filter((name) => name.endsWith("Payload"));

/** The validators only accept whole payloads, so the values are made for one payload at a time. */
const valuesFor = (name: string) => jsonValues(name, definitions).map((value) => asSent(value));

/** The value that `JSON.parse` would return: numbers that JSON cannot express become null. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe(`the validator, the published document and zod agree (BELFRY_SEED=${seed})`, () => {
  test.each(payloads)("about values made for %s", (name) => {
    const { details, accepted } = compareVerdicts(name);
    expect(fc.defaultReportMessage(details)).toBeUndefined();
    expect(accepted, "accepted by all").toBeGreaterThan(numRuns / 20);
    expect(accepted, "not refused by all").toBeLessThan(numRuns * 0.9);
  });

  test("about every fixture with one member removed or replaced", () => {
    const { disagreements, accepted, asked } = compareEdges(publishedSchema);
    expect(disagreements).toEqual([]);
    expect(accepted).toBeGreaterThan(100);
    expect(asked - accepted).toBeGreaterThan(1_000);
  });

  test("about arbitrary JSON values", () => {
    const isInDocument = validatorOf();
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect([findViolation(value) === null, WebhookPayload.safeParse(value).success]).toEqual([
          isInDocument(value),
          isInDocument(value),
        ]);
      }),
    );
  });
});

test("a member that only a prototype has is missing", () => {
  const { task, ...rest } = fixtures.success;
  expect(findViolation(Object.assign(Object.create({ task }) as object, rest))).toEqual({
    field: "task",
    problem: "is missing",
  });
});

test("every receiver accepts what the sender's strict schema accepts", () => {
  const strict = fc.oneof(...payloads.map((name) => valuesFor(name).map((value) => sharpen(value))));
  let allowed = 0;
  fc.assert(
    fc.property(strict, (value) => {
      const isAllowed = StrictWebhookPayload.safeParse(value).success;
      if (isAllowed) allowed += 1;
      expect(isAllowed && findViolation(value) !== null).toBe(false);
    }),
    { numRuns: 5_000 },
  );
  expect(allowed).toBeGreaterThan(100);
});

describe("a document that differs by one word is detected", () => {
  const plants: Record<string, (of: Planted) => void> = {
    "a member that may be absent": ({ properties }) => void properties["run"]!.required.pop(),
    "a member that must be there": ({ properties }) => void properties["run"]!.required.push("exit_code"),
    "one outcome less": ({ properties }) => void properties["run"]!.properties["outcome"]!["enum"]!.pop(),
    "a text that may be empty": ({ properties }) => void delete properties["task"]!.properties["name"]!["minLength"],
    "a duration below 0": ({ properties }) =>
      void Object.assign(properties["run"]!.properties["duration_ms"]!, { minimum: -1 }),
    "a fraction of a millisecond": ({ properties }) =>
      void Object.assign(properties["run"]!.properties["duration_ms"]!, { type: "number" }),
    "a time of another form": (payload) =>
      void Object.assign(payload.properties["run"]!.properties["ended_at"]!, { $ref: "#/$defs/Text" }),
    "another name of the event": ({ properties }) => void Object.assign(properties["event"]!, { const: "run.started" }),
    "an object that is closed": (payload) => void (payload.additionalProperties = false),
  };

  test.each(Object.entries(plants))("%s", (_, plant) => {
    const planted = structuredClone({ ...publishedSchema, $defs: { ...definitions, Text: { type: "string" } } });
    plant((planted.$defs as unknown as { RunCompletedPayload: Planted }).RunCompletedPayload);
    expect(compareEdges(planted).disagreements).not.toEqual([]);
  });
});

type Text = { enum?: string[]; minLength?: number };

interface Planted {
  readonly required: string[];
  readonly properties: Record<string, { required: string[]; properties: Record<string, Text> }>;
  additionalProperties: unknown;
}

/** Replacement values for one member, valid and invalid. */
const texts = [
  "",
  " ",
  "a",
  "1",
  "run.completed",
  "test",
  "success",
  "failure",
  "lost",
  "constructor",
  "service.webhook.v2",
];
const times = [
  "2026-11-21T01:18:00Z 2026-02-29T01:18:00Z 2028-02-29T01:18:00Z 1900-02-29T00:00:00Z 2000-02-29T00:00:00Z",
  "2026-11-21T01:18:00.1234567890Z 2026-11-21T01:18:00.Z 2026-11-21T01:18Z 2026-11-21_01:18:00Z",
  "2026-11-21T01:18:00z 2026-11-21t01:18:00Z 2026-11-21T23:59:60Z 2026-04-31T01:18:00Z 2026-13-01T01:18:00Z",
  "2026-11-21T24:00:00Z 2026-11-21T01:18:00+00:00 2026-11-21T01:18:00 +02026-11-21T01:18:00Z 2026-11-21",
].flatMap((line) => line.split(" "));
const numbers = [0, 1, -1, 0.5, -0.5, 2 ** 53 - 1, 2 ** 53, -(2 ** 53) + 1, -(2 ** 53), 1e300];
const edges: readonly unknown[] = [...texts, ...times, ...numbers, null, true, [], ["success"], {}, { id: "a" }];

/** Replaces each member by each replacement value, so that finding a difference does not depend on chance. */
function compareEdges(document: object) {
  const isInDocument = validatorOf(document);
  const values = [fixtures.success, fixtures.test, fixtures.noGroup, fixtures.unknownMembers].flatMap((payload) =>
    oneMemberChanged(payload),
  );
  const accepted = values.filter((value) => isInDocument(value));
  const disagreements = values.filter((value) => {
    const verdicts = [isInDocument(value), findViolation(value) === null, WebhookPayload.safeParse(value).success];
    return new Set(verdicts).size > 1;
  });
  return { disagreements, accepted: accepted.length, asked: values.length };
}

function oneMemberChanged(value: object): readonly object[] {
  return [...Object.entries(value), ["more", 0] as const].flatMap(([name, member]) => {
    const { [name]: _, ...without } = value as Record<string, unknown>;
    const inside = typeof member === "object" && member !== null ? oneMemberChanged(member as object) : [];
    return [without, ...[...edges, ...inside].map((other) => ({ ...without, [name]: other }))];
  });
}

function compareVerdicts(name: string) {
  const isInDocument = validatorOf();
  let accepted = 0;
  const property = fc.property(valuesFor(name), (value) => {
    const expected = isInDocument(value);
    if (expected) accepted += 1;
    return (findViolation(value) === null) === expected && WebhookPayload.safeParse(value).success === expected;
  });
  const details = fc.check(property, { numRuns, seed, endOnFailure: true });
  return { details, accepted };
}

/** Gives ids and names the daemon's form, so that the strict schema accepts some of the values. */
function sharpen(value: unknown): unknown {
  const text = JSON.stringify(value, (key, each: unknown) => {
    if (typeof each !== "string") return each;
    if (key.endsWith("_at") || key === "scheduled_for") return "2026-11-21T01:18:00.000Z";
    if (key === "version") return "1.4.0";
    if (key === "trigger") return "manual";
    return each;
  });
  const made = JSON.parse(text) as Record<string, Record<string, unknown> | undefined>;
  for (const [member, prefix] of [
    ["delivery", "dlv"],
    ["task", "tsk"],
    ["run", "run"],
  ] as const) {
    if (typeof made?.[member]?.["id"] === "string") made[member]["id"] = `${prefix}_4fzH1TqWb8YkV0c2LxNd`;
  }
  const task = made?.["task"];
  if (typeof task?.["group_id"] === "string") task["group_id"] = "grp_4fzH1TqWb8YkV0c2LxNd";
  return made;
}

import { WebhookPayload } from "@belfry/webhook-schema/schema";
import { seed } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { jsonValues, type Schema } from "../../contract/tests/json-values.ts";
import { findComplaint } from "../src/find-complaint.ts";
import { StrictWebhookPayload } from "../src/schema/index.ts";
import { publishedSchema, validatorOf } from "./document-validator.ts";

const numRuns = 10_000;

const definitions = publishedSchema["$defs"] as Record<string, Schema>;
const payloads = Object.keys(definitions).filter((name) => name.endsWith("Payload"));

/** A definition by itself is no payload, so both are asked about values made for each. */
const valuesFor = (name: string) => jsonValues(name, definitions).map((value) => asSent(value));

/** What `JSON.parse` gives: numbers that JSON does not have are null there. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe(`the written-out validator, the published document and zod agree (BELFRY_SEED=${seed})`, () => {
  test.each(payloads)("about values made for %s", (name) => {
    const { details, accepted } = compareVerdicts(name, publishedSchema, numRuns);
    expect(fc.defaultReportMessage(details)).toBeUndefined();
    expect(accepted, "accepted by all").toBeGreaterThan(numRuns / 20);
    expect(accepted, "not refused by all").toBeLessThan(numRuns * 0.9);
  });

  test("about values of no shape at all", () => {
    const isInDocument = validatorOf();
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect([findComplaint(value) === null, WebhookPayload.safeParse(value).success]).toEqual([
          isInDocument(value),
          isInDocument(value),
        ]);
      }),
    );
  });
});

test("what the strict twin allows, every receiver takes", () => {
  const strict = fc.oneof(...payloads.map((name) => valuesFor(name).map((value) => sharpen(value))));
  let allowed = 0;
  fc.assert(
    fc.property(strict, (value) => {
      const isAllowed = StrictWebhookPayload.safeParse(value).success;
      if (isAllowed) allowed += 1;
      expect(isAllowed && findComplaint(value) !== null).toBe(false);
    }),
    { numRuns: 5_000 },
  );
  expect(allowed).toBeGreaterThan(100);
});

describe("a document that differs by one word is found", () => {
  const plants: Record<string, (of: Planted) => void> = {
    "a member that may be absent": ({ properties }) => void properties["run"]!.required.pop(),
    "a member that must be there": ({ properties }) => void properties["run"]!.required.push("exit_code"),
    "an outcome less": ({ properties }) => void properties["run"]!.properties["outcome"]!["enum"]!.pop(),
    "a text that may be empty": ({ properties }) => void delete properties["task"]!.properties["name"]!["minLength"],
    "a duration below 0": ({ properties }) =>
      void Object.assign(properties["run"]!.properties["duration_ms"]!, { minimum: -1 }),
    "a fraction of a millisecond": ({ properties }) =>
      void Object.assign(properties["run"]!.properties["duration_ms"]!, { type: "number" }),
    "an object that is closed": (payload) => void (payload.additionalProperties = false),
  };

  test.each(Object.entries(plants))("%s", (_, plant) => {
    const planted = structuredClone(publishedSchema);
    plant((planted["$defs"] as Record<string, Planted>)["RunCompletedPayload"]!);
    expect(compareVerdicts("RunCompletedPayload", planted, numRuns).details.failed).toBe(true);
  });
});

interface Planted {
  readonly required: string[];
  readonly properties: Record<
    string,
    { required: string[]; properties: Record<string, { enum?: string[]; minLength?: number }> }
  >;
  additionalProperties: unknown;
}

function compareVerdicts(name: string, asked: object, runs: number) {
  const isInDocument = validatorOf(asked);
  let accepted = 0;
  const property = fc.property(valuesFor(name), (value) => {
    const expected = isInDocument(value);
    if (expected) accepted += 1;
    return (findComplaint(value) === null) === expected && WebhookPayload.safeParse(value).success === expected;
  });
  const details = fc.check(property, { numRuns: runs, seed, endOnFailure: true });
  return { details, accepted };
}

/** Ids and names as the daemon makes them, so that the strict twin has something to allow. */
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

import { seed } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { catalogue, parseBy } from "@belfry/contract";
import { buildDocument, localApi, remoteApi } from "@belfry/contract/openapi";
import { jsonValues, type Schema } from "@belfry/test-kit/json-values";
import { sentBy, visitSchemas } from "./visit-schemas.ts";

/*
 * The refusal of any invalid value is a whole sentence of ours, not the library's. The values are generated from the
 * document, and most of them violate it in one place.
 */
const [remote, local] = [remoteApi, localApi].map((api) => buildDocument(catalogue, api).components?.schemas ?? {});
// the remote document has the bodies of operations that the local one lacks, and lacks members of other bodies
const definitions = { ...remote, ...local } as Record<string, Schema>;

interface Sent {
  readonly name: string;
  readonly example?: unknown;
  readonly schema: z.ZodType;
  readonly values: fc.Arbitrary<unknown>;
}

const bodies: readonly Sent[] = catalogue.flatMap((operation) => {
  if (!("body" in operation)) return [];
  const id = String(operation.body.meta()?.id);
  return {
    name: `${operation.id} body`,
    schema: operation.body,
    example: operation.example,
    values: jsonValues(id, definitions),
  };
});
const queries: readonly Sent[] = catalogue.flatMap((operation) => {
  if (!("query" in operation)) return [];
  const values = fc.dictionary(
    fc.constantFrom(...Object.keys(operation.query.shape), "limitt", "surprise"),
    fc.oneof(fc.string(), fc.constantFrom("", "0", "-1", "1001", "true", "2026-13-01", "x".repeat(2_000), "bogus")),
    { minKeys: 1, maxKeys: 3 },
  );
  return { name: `${operation.id} query`, schema: operation.query, values };
});

/** Words of the library or of a program, and words that no message may use. */
const foreign = /\b(invalid|expected|received|records?|undefined|NaN|zod|issue|blanks?)\b|\[object/i;

function complaintOf(path: readonly string[], predicate: string): string | null {
  const sentence = `${path.length === 0 ? "the body" : path.join(".")} ${predicate}`;
  if (!/^(must|is required|is not a known|cannot be)\b/.test(predicate)) return `it has no verb: ${sentence}`;
  if (!/[\p{L}\d?")\]}]$/u.test(predicate)) return `it does not end: ${sentence}`;
  if (/\s\s|\n/.test(predicate)) return `it is not one line: ${sentence}`;
  if (/\ban? (object|array)\b(?! such as)/.test(predicate)) return `it shows no example: ${sentence}`;
  if (foreign.test(predicate)) return `it is not ours: ${sentence}`;
  if (/\b1 (characters|items|labels|variables)\b|\b(0|[2-9]|\d\d+) (character|item|label|variable)\b/.test(predicate))
    return `its number does not agree: ${sentence}`;
  if (/\bsuch as \{/.test(predicate) && !/\ban object\b/.test(predicate)) return `it shows something else: ${sentence}`;
  return predicate.length > 400 ? `it is long: ${sentence}` : null;
}

describe(`every invalid value gets a whole sentence (BELFRY_SEED=${seed})`, () => {
  test.each([...bodies, ...queries])("$name", ({ schema, example, values }) => {
    let refused = 0;
    fc.assert(
      fc.property(values, (value) => {
        const { fault } = parseBy(schema, value, example);
        if (fault === null) return;
        refused += 1;
        expect(complaintOf(fault.path, fault.predicate)).toBeNull();
      }),
      { numRuns: 500 },
    );
    expect(refused).toBeGreaterThan(20);
  });
});

test("the values cause every kind of issue that the library reports", () => {
  const codes = new Set<string>();
  const gather = (issues: readonly z.core.$ZodIssue[]): void => {
    for (const issue of issues) {
      codes.add(issue.code);
      if (issue.code === "invalid_union") issue.errors.forEach(gather);
      if (issue.code === "invalid_key") gather(issue.issues);
    }
  };
  for (const { schema, values } of [...bodies, ...queries])
    for (const value of fc.sample(values, 300)) gather(schema.safeParse(value).error?.issues ?? []);
  // the other codes are for sets, maps and multiples, which no schema here has
  expect([...codes].toSorted()).toEqual(
    [
      "custom",
      "invalid_format",
      "invalid_key",
      "invalid_type",
      "invalid_union",
      "invalid_value",
      "too_big",
      "too_small",
      "unrecognized_keys",
    ].toSorted(),
  );
});

test("every example in the document is valid", () => {
  const shown = visitSchemas(catalogue.flatMap((operation) => sentBy(operation)));
  // a derived schema inherits the examples, unless it has its own
  for (const schema of shown.filter((each) => z.globalRegistry.has(each)))
    for (const example of (schema.meta()?.["examples"] ?? []) as unknown[])
      expect(schema.safeParse(example).error, JSON.stringify(example)).toBeUndefined();
});

test("an invalid path gets a whole sentence too", () => {
  const sent = [{}, { id: "" }, { key: "" }, { key: "." }, { key: "k".repeat(201) }];
  const faults = catalogue
    .filter((operation) => "params" in operation)
    .flatMap(({ params }) => sent.map((value) => parseBy<z.ZodType>(params, value).fault))
    .filter((fault) => fault !== null);
  expect(faults.length).toBeGreaterThan(50);
  expect(faults.map(({ path, predicate }) => complaintOf(path, predicate)).filter((each) => each !== null)).toEqual([]);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { catalogue, ErrorEnvelope } from "@belfry/contract";
import { buildDocument, localApi } from "@belfry/contract/openapi";
import { createDocumentValidator } from "./document-validator.ts";
import { jsonValues, type Schema } from "./json-values.ts";
import { answeredBy, nameOf, sentBy, visitSchemas } from "./visit-schemas.ts";

const seed = Number(process.env["BELFRY_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const valuesPerSchema = 1_000;

const document = buildDocument(catalogue, localApi);
const definitions = (document.components?.schemas ?? {}) as Record<string, Schema>;
const validatorOf = createDocumentValidator(document);
const schemaOf = new Map(
  visitSchemas([ErrorEnvelope, ...catalogue.flatMap((operation) => [...sentBy(operation), ...answeredBy(operation)])]).map(
    (schema) => [nameOf(schema), schema],
  ),
);

describe(`the document and the contract accept the same values (BELFRY_TEST_SEED=${seed})`, () => {
  test.each(Object.keys(definitions))("%s", (name) => {
    const schema = schemaOf.get(name)!;
    const isInDocument = validatorOf(name);
    let accepted = 0;
    fc.assert(
      fc.property(jsonValues({ $ref: `#/components/schemas/${name}` }, definitions), (value) => {
        const verdict = z.safeParse(schema, value);
        if (isInDocument(value)) accepted += 1;
        else expect(verdict.success, "the document refuses what the contract accepts").toBe(false);
        if (isInDocument(value)) expect(unknownReasons(verdict, value), "the contract refuses what the document accepts").toEqual([]);
      }),
      { seed, numRuns: valuesPerSchema },
    );
    expect(accepted, "values accepted by both").toBeGreaterThan(valuesPerSchema / 10);
    expect(accepted, "values refused by both").toBeLessThan(valuesPerSchema);
  });
});

/**
 * The only thing in which the contract is stricter than the document: JSON Schema's `maxLength` counts characters,
 * zod counts UTF-16 units, so a long string with characters beyond U+FFFF may be refused. The document says so.
 */
function unknownReasons(verdict: z.ZodSafeParseResult<unknown>, value: unknown): readonly z.core.$ZodIssue[] {
  return (verdict.error?.issues ?? []).filter((issue) => !isCountedInUnits(issue, value));
}

function isCountedInUnits(issue: z.core.$ZodIssue, value: unknown): boolean {
  const at = issue.path.reduce((node: unknown, name) => (node as Record<PropertyKey, unknown>)[name], value);
  if (issue.code === "invalid_union") return issue.errors.some((branch) => branch.every((each) => isCountedInUnits(each, at)));
  return issue.code === "too_big" && typeof at === "string" && at.length > [...at].length;
}

import { seed } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { catalogue, ErrorEnvelope, type Operation } from "@belfry/contract";
import { buildDocument, localApi, type OpenApiDocument } from "@belfry/contract/openapi";
import { createDocumentValidator } from "./document-validator.ts";
import { jsonValues, type Schema } from "@belfry/test-kit/json-values";
import { answeredBy, nameOf, sentBy, visitSchemas } from "./visit-schemas.ts";

const valuesPerSchema = 1_000;

const document = buildDocument(catalogue, localApi);
const roots = [ErrorEnvelope, ...catalogue.flatMap((operation) => [...sentBy(operation), ...answeredBy(operation)])];
const zodSchemas = new Map(visitSchemas(roots).map((schema) => [nameOf(schema), schema]));

describe(`the document and the contract accept the same values (BELFRY_SEED=${seed})`, () => {
  test.each(Object.keys(definitionsOf(document)))("%s", (name) => {
    const { details, accepted } = compareVerdicts(document, name, { seed, numRuns: valuesPerSchema });
    expect(fc.defaultReportMessage(details)).toBeUndefined();
    // few random values are valid for the schemas with the most members
    expect(accepted, "accepted by both").toBeGreaterThan(valuesPerSchema / 20);
    expect(accepted, "not refused by both").toBeLessThan(valuesPerSchema);
  });
});

describe(`the document and the contract accept the same query parameters (BELFRY_SEED=${seed})`, () => {
  test.each(queryParameters())("%s %s", (_, name, { schema, declared }) => {
    const isInDocument = createDocumentValidator(document, { [name]: schema })(name);
    const property = fc.property(jsonValues(name, { ...definitionsOf(document), [name]: schema }), (value) => {
      fc.pre(typeof value === (schema["type"] === "integer" ? "number" : "string"));
      const { error } = z.safeParse(declared, String(value));
      if (!isInDocument(value)) return error !== undefined;
      return error === undefined || error.issues.every((issue) => isCountedInUnits(issue, value));
    });
    expect(fc.defaultReportMessage(fc.check(property, { seed, numRuns: valuesPerSchema }))).toBeUndefined();
  });
});

describe("a document that differs by one word is detected", () => {
  const plants: Record<string, (task: PlantedTask) => void> = {
    "a null that is not accepted": ({ properties }) =>
      void (properties["group_id"] = { $ref: "#/components/schemas/ResourceId" }),
    "a required member that may be absent": ({ required }) => void required.splice(required.indexOf("labels"), 1),
    "a bound off by one": ({ properties }) => void (properties["priority"]!["maximum"] = 101),
    "an enum with one value less": ({ properties }) => void (properties["lifecycle"]!["enum"] as string[]).pop(),
    "an answer without unknown members": (task) => void (task["additionalProperties"] = false),
  };

  test.each(Object.entries(plants))("%s", (_, plant) => {
    const planted = structuredClone(document);
    plant(definitionsOf(planted)["Task"] as PlantedTask);
    const { details } = compareVerdicts(planted, "Task", { seed: 1, numRuns: 10_000, endOnFailure: true });
    expect(details.failed).toBe(true);
  });
});

function queryParameters() {
  return (catalogue as readonly Operation[]).flatMap(({ id, method, path, query }) => {
    const parameters: unknown = document.paths?.[`/v1${path}`]?.[method]?.parameters;
    const described = parameters as { name: string; schema: Schema }[];
    return Object.entries(query?.shape ?? {}).map(([name, declared]) => {
      const { schema } = described.find((parameter) => parameter.name === name)!;
      return [id, name, { schema, declared }] as const;
    });
  });
}

interface PlantedTask extends Record<string, unknown> {
  readonly properties: Record<string, Record<string, unknown>>;
  readonly required: string[];
}

function definitionsOf({ components }: OpenApiDocument): Record<string, Schema> {
  return (components?.schemas ?? {}) as Record<string, Schema>;
}

/** Compares the verdicts of a document and of the contract, on values made for the API document. */
function compareVerdicts(asked: OpenApiDocument, name: string, parameters: fc.Parameters<[unknown]>) {
  const isInDocument = createDocumentValidator(asked)(name);
  const schema = zodSchemas.get(name)!;
  let accepted = 0;
  const property = fc.property(jsonValues(name, definitionsOf(document)), (value) => {
    const { error } = z.safeParse(schema, value);
    if (!isInDocument(value)) return error !== undefined;
    if (error === undefined) accepted += 1;
    return error === undefined || error.issues.every((issue) => isCountedInUnits(issue, value));
  });
  return { details: fc.check(property, parameters), accepted };
}

/**
 * Whether an issue is the one difference that the document's description names: JSON Schema's `maxLength` counts
 * characters, but zod counts UTF-16 units, and a character beyond U+FFFF has two.
 */
function isCountedInUnits(issue: z.core.$ZodIssue, value: unknown): boolean {
  const at = issue.path.reduce((node: unknown, name) => (node as Record<PropertyKey, unknown>)[name], value);
  if (issue.code === "invalid_union") {
    return issue.errors.some((branch) => branch.length > 0 && branch.every((each) => isCountedInUnits(each, at)));
  }
  return issue.code === "too_big" && typeof at === "string" && at.length > [...at].length;
}

import { fc } from "@belfry/test-kit/properties";
import { jsonValues, type Schema } from "@belfry/test-kit/json-values";
import { strangeStrings } from "@belfry/test-kit/leaf-values";
import type { OpenApiDocument } from "@belfry/contract/openapi";

export interface GeneratedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Who sends it: an index into the callers of the test. */
  readonly caller: number;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "path" | "query";
  readonly schema: Schema;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly schema: { readonly $ref: string } } };
  };
}

/** Generates requests that a document allows, or nearly allows. `ids` are resources that exist. */
export function generatedRequests(
  document: OpenApiDocument,
  of: { readonly ids: readonly string[]; readonly callers: number; readonly without: readonly string[] },
): fc.Arbitrary<GeneratedRequest> {
  const definitions = document.components?.schemas as unknown as Readonly<Record<string, Schema>>;
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Described & { readonly operationId: string }>>)
      .filter(([, { operationId }]) => !of.without.includes(operationId))
      .map(([method, described]) => ({ method, path, described })),
  );
  const pathPart = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...of.ids) },
    { weight: 1, arbitrary: strangeStrings.filter((text) => text.isWellFormed()) },
    { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
  );
  const bodies = new Map<string, fc.Arbitrary<string>>();
  const bodyOf = (name: string): fc.Arbitrary<string> => {
    const known = bodies.get(name) ?? jsonValues(name, definitions).map((value) => JSON.stringify(value) ?? "");
    bodies.set(name, known);
    return fc.oneof({ weight: 15, arbitrary: known }, { weight: 1, arbitrary: malformed });
  };
  const requests = operations.map(({ method, path, described }) => {
    const { parameters = [], requestBody } = described;
    const query = parameters.filter((parameter) => parameter.in === "query");
    const schemaName = requestBody?.content["application/json"].schema.$ref.split("/").at(-1);
    return fc.record({
      method: fc.oneof(
        { weight: 20, arbitrary: fc.constant(method.toUpperCase()) },
        { weight: 1, arbitrary: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE") },
      ),
      path: fc
        .tuple(
          pathPart,
          fc.subarray([...query]),
          fc.array(fc.string({ maxLength: 12 }), { minLength: 20, maxLength: 20 }),
        )
        .map(([id, chosen, texts]) => withQuery(path.replace(/\{\w+\}/, encodeURIComponent(id)), chosen, texts)),
      body: schemaName === undefined ? fc.constant(undefined) : bodyOf(schemaName),
      headers: strangeHeaders,
      caller: fc.nat({ max: of.callers - 1 }),
    });
  });
  return fc.oneof(...requests);
}

const malformed = fc.constantFrom(
  "",
  "{",
  "[]",
  "null",
  "7",
  '"x"',
  "{}{}",
  '{"a":1,',
  "\ufeff{}",
  '{"__proto__":{}}',
  "\u0000",
);

const strangeHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { "if-match": "*" },
      { "if-match": '"1"' },
      { "if-match": "1" },
      { "idempotency-key": "a" },
      { "idempotency-key": "." },
      { "content-type": "text/plain" },
      { "content-type": "application/json; charset=latin1" },
      { "content-encoding": "gzip" },
      { accept: "text/event-stream" },
      { origin: "https://example.com" },
      { "sec-fetch-mode": "navigate" },
      { "sec-fetch-mode": "cors" },
      { "transfer-encoding": "chunked" },
      { expect: "100-continue" },
      { authorization: "Bearer bat_aaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
      { authorization: "Basic YTpi" },
    ),
  },
);

function withQuery(path: string, chosen: readonly Parameter[], texts: readonly string[]): string {
  const pairs = chosen.map(
    ({ name, schema }, index) => `${name}=${encodeURIComponent(likely(schema, texts[index] ?? ""))}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

/** A value that fits the schema of a query member about half of the time. */
function likely(schema: Schema, text: string): string {
  const choices = (schema["enum"] ?? []) as readonly string[];
  if (text.length % 2 === 1) return text.toWellFormed();
  if (choices.length > 0) return String(choices[text.length % choices.length]);
  if (schema["type"] === "integer") return String(1 + (text.length % 9));
  if (schema["format"] === "date-time") return "2026-11-21T01:18:00Z";
  return text.toWellFormed();
}

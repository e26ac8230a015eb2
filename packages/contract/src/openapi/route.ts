import { createRoute, z } from "@hono/zod-openapi";
import { errorsOf, type Operation } from "../core/operation.ts";
import { answerExamples } from "./examples.ts";
import { failuresOf } from "./failures.ts";
import { parameterRef, responseHeadersOf } from "./headers.ts";

/** Makes one operation of the document, with schemas that are not yet written out. */
export function routeOf(operation: Operation, base: string) {
  return createRoute({
    method: operation.method,
    path: `${base}${operation.path}`,
    operationId: operation.id,
    summary: operation.summary,
    description: descriptionOf(operation),
    tags: [tagOf(operation)],
    request: {
      ...(operation.query === undefined ? {} : { query: operation.query }),
      ...(operation.params === undefined ? {} : { params: operation.params }),
      ...(operation.body === undefined ? {} : { body: bodyOf(operation, operation.body) }),
    },
    parameters: headersOf(operation),
    responses: { ...successOf(operation), ...failuresOf(operation) },
    "x-minimum-capability": operation.capability,
    "x-remote": operation.transports.includes("remote"),
    "x-error-codes": errorsOf(operation),
  });
}

/** Returns the module of an operation, as its tag in the document. */
export function tagOf(operation: Operation): string {
  return operation.id.split(".")[0]!.replaceAll("_", "-");
}

/** Writes the operation's description, and its extensions in words for a person. */
function descriptionOf(operation: Operation): string {
  const needs = `Requires \`${operation.capability}\``;
  const audited = operation.audited ? "; audited" : "";
  const remote = operation.transports.includes("remote") ? "" : "; local only";
  return [operation.description, `${needs}${audited}${remote}.`, describeRemoteBody(operation)]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

function describeRemoteBody({ localMembers = [], commandMembers = [] }: Operation): string | undefined {
  const members = [...localMembers, ...commandMembers];
  return members.length === 0 ? undefined : `Remote callers cannot send ${listOr(members)}.`;
}

function listOr(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(" or ");
}

function bodyOf(operation: Operation, schema: z.ZodType) {
  const example = operation.example === undefined ? {} : { example: operation.example };
  return { required: operation.bodyOptional !== true, content: { "application/json": { schema, ...example } } };
}

function headersOf(operation: Operation) {
  return [
    ...(operation.conditional === true ? [parameterRef("IfMatch")] : []),
    ...(operation.replayedBy === undefined ? [] : [parameterRef("IdempotencyKey")]),
  ];
}

const successes = { 200: "Done", 201: "Created", 202: "Accepted: the work follows" } as const;

function successOf(operation: Operation) {
  const { response } = operation;
  const headers = responseHeadersOf(operation);
  switch (response.kind) {
    case "json":
      return {
        ...(response.preview === undefined
          ? {}
          : { 200: { description: "A dry run: nothing was created", content: jsonOf(response.preview) } }),
        [response.status]: { description: successes[response.status], headers, content: jsonOf(response.schema) },
      };
    case "empty":
      return { [response.status]: { description: "Done" } };
    case "events":
      return {
        200: {
          description: "A stream of server-sent events",
          content: { "text/event-stream": { schema: response.schema } },
        },
      };
    case "bytes":
      return {
        200: {
          description: "The bytes, or a stream of server-sent events if the caller accepts one",
          content: { "text/plain": { schema: z.string() }, "text/event-stream": { schema: response.events } },
        },
      };
    case "ndjson":
      // the schema of a line: OpenAPI 3.1 cannot describe the items of a stream
      return {
        200: {
          description: "One JSON object per line",
          headers,
          content: { "application/x-ndjson": { schema: response.line } },
        },
      };
  }
}

function jsonOf(schema: z.ZodType) {
  const name = schema.meta()?.id ?? "";
  const examples = name in answerExamples ? { examples: { [name]: { $ref: `#/components/examples/${name}` } } } : {};
  return { "application/json": { schema, ...examples } };
}

import { createRoute, z } from "@hono/zod-openapi";
import { type ErrorCode, ErrorEnvelope, errorStatus } from "../core/errors.ts";
import { errorsOf, type Operation } from "../core/operation.ts";

const noQuery = z.strictObject({});
const text = { type: "string" } as const;

/** The route of one operation, for the router and for the document alike. */
export function routeOf(operation: Operation, base: string) {
  return createRoute({
    method: operation.method,
    path: `${base}${operation.path}`,
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    tags: [tagOf(operation)],
    request: {
      query: operation.query ?? noQuery,
      ...(operation.params === undefined ? {} : { params: operation.params }),
      ...(operation.body === undefined ? {} : { body: bodyOf(operation, operation.body) }),
    },
    parameters: headersOf(operation),
    responses: { ...successOf(operation), ...failuresOf(operation) },
    "x-minimum-capability": operation.capability,
    "x-remote": operation.remote,
  });
}

/** The room an operation belongs to, as a reader of the document looks for it. */
export function tagOf(operation: Operation): string {
  return operation.id.split(".")[0]!.replaceAll("_", "-");
}

function bodyOf(operation: Operation, schema: z.ZodType) {
  const example = operation.example === undefined ? {} : { example: operation.example };
  return { required: operation.bodyOptional !== true, content: { "application/json": { schema, ...example } } };
}

function headersOf(operation: Operation) {
  return [
    ...(operation.conditional === true
      ? [{ name: "If-Match", in: "header" as const, schema: text, description: 'The revision to change, such as `"3"`, or `*`' }]
      : []),
    ...(operation.replayedBy === undefined
      ? []
      : [{ name: "Idempotency-Key", in: "header" as const, schema: { ...text, maxLength: 200 }, description: "The same key and body within 24 hours make one thing" }]),
  ];
}

function successOf(operation: Operation) {
  const { response } = operation;
  switch (response.kind) {
    case "json":
      return {
        ...(response.preview === undefined ? {} : { 200: { description: "A rehearsal: nothing was kept", content: json(response.preview) } }),
        [response.status]: { description: operation.summary, content: json(response.schema) },
      };
    case "empty":
      return { [response.status]: { description: "Done" } };
    case "events":
      return { 200: { description: operation.summary, content: { "text/event-stream": { schema: response.schema } } } };
    case "bytes":
      return {
        200: {
          description: operation.summary,
          content: { "text/plain": { schema: z.string() }, "text/event-stream": { schema: response.events } },
        },
      };
  }
}

function failuresOf(operation: Operation) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, { description: codes.map((code) => `\`${code}\``).join(", "), content: json(ErrorEnvelope) }]),
  );
}

function json(schema: z.ZodType) {
  return { "application/json": { schema } };
}

import { createRoute, z } from "@hono/zod-openapi";
import { errorsOf, type Operation, type Transport } from "../core/operation.ts";
import { answerExamples } from "./examples.ts";
import { failuresOf } from "./failures.ts";
import { parameterRef, responseHeadersOf } from "./headers.ts";

/** The transport that a document describes, and the beginning of its paths. */
export interface Surface {
  readonly transport: Transport;
  readonly base: string;
}

/** The name of the security scheme of the remote API. */
export const bearerScheme = "accessToken";

/** Makes one operation of the document, with schemas that are not yet written out. */
export function routeOf(operation: Operation, { transport, base }: Surface) {
  return createRoute({
    method: operation.method,
    path: `${base}${operation.path}`,
    operationId: operation.id,
    summary: operation.summary,
    description: descriptionOf(operation, transport),
    tags: [tagOf(operation)],
    request: {
      ...(operation.query === undefined ? {} : { query: operation.query }),
      ...(operation.params === undefined ? {} : { params: operation.params }),
      ...(operation.body === undefined ? {} : { body: bodyOf(operation, transport) }),
    },
    parameters: headersOf(operation),
    responses: { ...successOf(operation), ...failuresOf(operation, transport) },
    ...(transport === "remote" && operation.isPublic === true ? { security: [] } : {}),
    "x-minimum-capability": operation.capability,
    ...(transport === "local" ? { "x-remote": operation.transports.includes("remote") } : {}),
    "x-error-codes": errorsOf(operation, transport),
  });
}

/** Returns the module of an operation, as its tag in the document. */
export function tagOf(operation: Operation): string {
  return operation.id.split(".")[0]!.replaceAll("_", "-");
}

/** Writes the operation's description, and its extensions in words for a person. */
function descriptionOf(operation: Operation, transport: Transport): string {
  const isOpen = transport === "remote" && operation.isPublic === true;
  const needs = isOpen ? "Requires no credential" : `Requires \`${operation.capability}\``;
  const audited = operation.audited ? "; audited" : "";
  const remote = operation.transports.includes("remote") ? "" : "; local only";
  const body = transport === "remote" ? describeCommandMembers(operation) : describeRemoteBody(operation);
  return [operation.description, `${needs}${audited}${remote}.`, body]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

function describeRemoteBody({ localMembers = [], commandMembers = [] }: Operation): string | undefined {
  const members = [...localMembers, ...commandMembers];
  return members.length === 0 ? undefined : `Remote callers cannot send ${listOr(members)}.`;
}

function describeCommandMembers({ commandMembers = [] }: Operation): string | undefined {
  if (commandMembers.length === 0) return undefined;
  return `${listOr(commandMembers)} is rejected unless the configuration of the daemon has \`[remote] commands = true\`.`;
}

function listOr(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(" or ");
}

function bodyOf({ body, bodyOptional, example, localMembers = [] }: Operation, transport: Transport) {
  const hidden = transport === "remote" ? localMembers : [];
  const shown = typeof example === "object" ? without(example as object, hidden) : example;
  const content = { schema: body!, ...(example === undefined ? {} : { example: shown }) };
  return { required: bodyOptional !== true, content: { "application/json": content } };
}

function without(example: object, hidden: readonly string[]): object {
  return Object.fromEntries(Object.entries(example).filter(([name]) => !hidden.includes(name)));
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
    case "file":
      return { 200: { description: "The file", content: { [response.type]: { schema: z.string() } } } };
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

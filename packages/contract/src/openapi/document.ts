import { OpenAPIHono } from "@hono/zod-openapi";
import { ErrorEnvelope } from "../core/errors.ts";
import type { Operation, Transport } from "../core/operation.ts";
import { describeOperation } from "./describe-operation.ts";
import { answerExamples } from "./examples.ts";
import { failureResponses } from "./failures.ts";
import { answerHeaders, headerParameters } from "./headers.ts";
import { remoteHiding } from "./remote-hiding.ts";
import { bearerScheme, tagOf } from "./route.ts";
import { asSchemaObject, createSchemaWriter } from "./schema-writer.ts";
import { shownExample } from "./shown-example.ts";
import { webhooksOf } from "./webhooks.ts";

/** The parts of a document that describe its API as a whole. */
export interface ApiDescription {
  /** The transport whose operations and members are described. */
  readonly transport: Transport;
  /** The beginning of every path: `/v1`. */
  readonly base: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** How callers identify themselves, on a transport that requires it. */
  readonly security?: { readonly type: "http"; readonly scheme: "bearer"; readonly description: string };
  readonly server: { readonly url: string; readonly description: string };
  /** A sentence for each tag, in order; a tag without operations is left out. */
  readonly tags: Readonly<Record<string, string>>;
}

export type OpenApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

/**
 * Builds the OpenAPI 3.1 document of those operations that a transport has. The same operations give the same document,
 * byte for byte.
 */
export function buildDocument(all: readonly Operation[], api: ApiDescription): OpenApiDocument {
  const { transport } = api;
  const operations = all.filter(({ transports }) => transports.includes(transport));
  const isRemote = transport === "remote";
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  const schemas = createSchemaWriter(isRemote ? remoteHiding(operations) : null);
  // the daemon sends webhooks, whichever API is used: one document describes them
  if (!isRemote) for (const webhook of webhooksOf(schemas)) registry.registerWebhook(webhook);
  if (api.security !== undefined) registry.registerComponent("securitySchemes", bearerScheme, api.security);
  for (const operation of operations) registry.registerPath(describeOperation(operation, api, schemas));
  for (const [name, response] of failureResponses(operations, transport, schemas.write(ErrorEnvelope))) {
    registry.registerComponent("responses", name, response);
  }
  for (const [name, header] of Object.entries(answerHeaders)) registry.registerComponent("headers", name, header);
  for (const [name, header] of Object.entries(headerParameters)) registry.registerComponent("parameters", name, header);
  const named = schemas.named();
  for (const [name, schema] of named) {
    registry.registerComponent("schemas", name, asSchemaObject(schema));
    if (!(name in answerExamples)) continue;
    const value = isRemote ? shownExample(answerExamples[name], schema, named) : answerExamples[name];
    registry.registerComponent("examples", name, { value });
  }

  const used = new Set(operations.map(tagOf));
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: api.title,
      version: api.version,
      description: api.description,
      contact: { name: "The Belfry project" },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [api.server],
    security: api.security === undefined ? [] : [{ [bearerScheme]: [] }],
    tags: Object.entries(api.tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
  });
}

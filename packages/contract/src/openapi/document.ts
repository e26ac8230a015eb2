import { OpenAPIHono } from "@hono/zod-openapi";
import { ErrorEnvelope } from "../core/errors.ts";
import type { Operation } from "../core/operation.ts";
import { describeOperation } from "./describe-operation.ts";
import { answerExamples } from "./examples.ts";
import { failureResponses } from "./failures.ts";
import { answerHeaders, headerParameters } from "./headers.ts";
import { tagOf } from "./route.ts";
import { asSchemaObject, createSchemaWriter } from "./schema-writer.ts";
import { webhooksOf } from "./webhooks.ts";

/** The parts of a document that describe its API as a whole. */
export interface ApiDescription {
  /** The beginning of every path: `/v1`. */
  readonly base: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly server: { readonly url: string; readonly description: string };
  /** A sentence for each tag, in order; a tag without operations is left out. */
  readonly tags: Readonly<Record<string, string>>;
}

export type OpenApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

/** Builds the OpenAPI 3.1 document of the operations. The same operations give the same document, byte for byte. */
export function buildDocument(operations: readonly Operation[], api: ApiDescription): OpenApiDocument {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  const schemas = createSchemaWriter();
  for (const webhook of webhooksOf(schemas)) registry.registerWebhook(webhook);
  for (const operation of operations) registry.registerPath(describeOperation(operation, api.base, schemas));
  for (const [name, response] of failureResponses(operations, schemas.write(ErrorEnvelope))) {
    registry.registerComponent("responses", name, response);
  }
  for (const [name, header] of Object.entries(answerHeaders)) registry.registerComponent("headers", name, header);
  for (const [name, header] of Object.entries(headerParameters)) registry.registerComponent("parameters", name, header);
  for (const [name, schema] of schemas.named()) {
    registry.registerComponent("schemas", name, asSchemaObject(schema));
    if (name in answerExamples) registry.registerComponent("examples", name, { value: answerExamples[name] });
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
    security: [],
    tags: Object.entries(api.tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
  });
}

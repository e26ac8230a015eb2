import type { RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import type { Operation } from "../core/operation.ts";
import { eventSchemaOf } from "./event-stream.ts";
import { idExamples } from "./examples.ts";
import { routeOf, type Surface } from "./route.ts";
import { asSchemaObject, type SchemaWriter } from "./schema-writer.ts";

type Content = NonNullable<NonNullable<NonNullable<RouteConfig["request"]>["body"]>["content"]>;

/** Describes the route with its schemas written out and its inputs as parameters. */
export function describeOperation(operation: Operation, api: Surface, schemas: SchemaWriter): RouteConfig {
  const { parameters, ...rest } = routeOf(operation, api);
  const route: RouteConfig = rest;
  const body = route.request?.body;
  return {
    ...route,
    parameters: [
      ...describeParameters(operation, "path", schemas),
      ...describeParameters(operation, "query", schemas),
      ...parameters,
    ],
    request: body === undefined ? {} : { body: { ...body, content: describeContent(body.content, schemas) } },
    responses: describeResponses(route.responses, schemas),
  };
}

function describeParameters(operation: Operation, place: "path" | "query", schemas: SchemaWriter) {
  const inputs = place === "path" ? operation.params : operation.query;
  return Object.entries(inputs?.shape ?? {}).map(([name, input]) => {
    const { description, ...schema } = schemas.write(input as z.ZodType);
    const example = place === "path" && name === "id" ? idExamples[operation.resource] : undefined;
    return {
      name,
      in: place,
      required: !(input as z.ZodType).safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: asSchemaObject(schema),
      ...(example === undefined ? {} : { example }),
    };
  });
}

function describeResponses(responses: RouteConfig["responses"], schemas: SchemaWriter): RouteConfig["responses"] {
  const described = Object.entries(responses).map(([status, response]) => {
    if (!("content" in response) || response.content === undefined) return [status, response];
    return [status, { ...response, content: describeContent(response.content, schemas) }];
  });
  return Object.fromEntries(described) as RouteConfig["responses"];
}

function describeContent(content: Content, schemas: SchemaWriter): Content {
  const described = Object.entries(content).map(([type, media]) => {
    if (media === undefined || !("schema" in media) || !(media.schema instanceof z.ZodType)) return [type, media];
    const isStream = type === "text/event-stream";
    const schema = isStream ? eventSchemaOf(media.schema, schemas) : schemas.write(media.schema);
    return [type, { ...media, schema: asSchemaObject(schema) }];
  });
  return Object.fromEntries(described) as Content;
}

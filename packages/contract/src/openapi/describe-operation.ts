import type { RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import type { Operation } from "../core/operation.ts";
import { eventSchemaOf } from "./event-stream.ts";
import { answerExamples, idExamples } from "./examples.ts";
import { routeOf } from "./route.ts";
import { asSchemaObject, type SchemaWriter } from "./schema-writer.ts";

type Content = NonNullable<NonNullable<NonNullable<RouteConfig["request"]>["body"]>["content"]>;
type Media = NonNullable<Content[string]>;

/** The route just as the router has it, with its schemas written out and examples of its answers. */
export function describeOperation(operation: Operation, base: string, schemas: SchemaWriter): RouteConfig {
  const { parameters, ...rest } = routeOf(operation, base);
  const route: RouteConfig = rest;
  const body = route.request?.body;
  const responses = Object.entries(route.responses).map(([status, response]) => {
    if (!("content" in response) || response.content === undefined) return [status, response];
    return [
      status,
      { ...response, content: mapContent(response.content, (media, type) => describeAnswer(media, type, schemas)) },
    ];
  });
  return {
    ...route,
    parameters: [
      ...describeParameters(operation, "path", schemas),
      ...describeParameters(operation, "query", schemas),
      ...parameters,
    ],
    request:
      body === undefined
        ? {}
        : {
            body: { ...body, content: mapContent(body.content, (media, type) => describeMedia(media, type, schemas)) },
          },
    responses: Object.fromEntries(responses) as RouteConfig["responses"],
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

function mapContent(content: Content, change: (media: Media, type: string) => Media): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [type, media === undefined ? media : change(media, type)]),
  );
}

function describeMedia(media: Media, type: string, schemas: SchemaWriter): Media {
  if (!("schema" in media) || !(media.schema instanceof z.ZodType)) return media;
  const isStream = type === "text/event-stream";
  const schema = isStream ? eventSchemaOf(media.schema, schemas) : schemas.write(media.schema);
  return { ...media, schema: asSchemaObject(schema) };
}

function describeAnswer(media: Media, type: string, schemas: SchemaWriter): Media {
  const name = "schema" in media && media.schema instanceof z.ZodType ? media.schema.meta()?.id : undefined;
  const described = describeMedia(media, type, schemas);
  if (name === undefined || !(name in answerExamples)) return described;
  return { ...described, examples: { [name]: { $ref: `#/components/examples/${name}` } } };
}

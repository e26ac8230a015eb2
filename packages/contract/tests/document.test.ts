import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { catalogue, errorsOf, errorStatus, ErrorEnvelope, isSecret, type Operation } from "@belfry/contract";
import { buildDocument, localApi, tagOf } from "@belfry/contract/openapi";
import { describeDifference, printDocument } from "../src/openapi/difference.ts";
import { createDocumentValidator } from "./document-validator.ts";
import { answeredBy, nameOf, sentBy, unwrap, visitSchemas } from "./visit-schemas.ts";

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { $ref?: string; name?: string; in?: string; required?: boolean; schema?: object }[];
  readonly responses: Readonly<Record<string, { $ref?: string; content?: Readonly<Record<string, Media>> }>>;
  readonly [keyword: string]: unknown;
}

interface Media {
  readonly schema: { readonly $ref?: string; readonly oneOf?: readonly object[] };
  readonly examples?: object;
}

const operations = (catalogue as readonly Operation[]).filter(({ transports }) => transports.includes("local"));
const document = buildDocument(operations, localApi);
const components = document.components as Record<string, Record<string, Record<string, unknown>>>;
const committed = readFileSync(fileURLToPath(new URL("../openapi/local.json", import.meta.url)), "utf8");

function describedAs({ method, path }: Operation): Described {
  return document.paths?.[`/v1${path}`]?.[method] as unknown as Described;
}

function componentAt(reference: string): Readonly<Record<string, unknown>> {
  const [name = "", kind = ""] = reference.split("/").reverse();
  return components[kind]?.[name] ?? {};
}

describe("the committed document", () => {
  test("equals the one generated from this contract, byte for byte", () => {
    expect(describeDifference(committed, document)).toBeNull();
  });

  test("is the same each time it is built", () => {
    expect(printDocument(buildDocument(operations, localApi))).toBe(printDocument(document));
  });

  const plants: [string, Partial<Operation>, string][] = [
    [
      "a summary",
      { summary: "Another summary" },
      '#/paths/~1v1~1tasks~1{id}/delete/summary: committed is "Delete a task',
    ],
    ["a capability", { capability: "operate" }, "#/paths/~1v1~1tasks~1{id}/delete/description: "],
    ["a code it may answer with", { errors: ["not_found"] }, "#/paths/~1v1~1tasks~1{id}/delete/x-error-codes"],
    ["a path", { path: "/task/{id}" }, "#/paths/~1v1~1tasks~1{id}/delete: committed is {"],
  ];

  test.each(plants)("is outdated if an operation has another %s, and the difference is located", (_, change, where) => {
    const planted = operations.map((each) => (each.id === "tasks.delete" ? { ...each, ...change } : each));
    expect(describeDifference(committed, buildDocument(planted, localApi))).toContain(where);
  });

  test("is outdated if only its formatting differs", () => {
    expect(describeDifference(JSON.stringify(document), document)).toContain("order or formatting");
  });

  test("is outdated if it is missing or not JSON", () => {
    expect(describeDifference("", document)).toContain("#: committed is absent");
  });
});

describe("the document", () => {
  test("describes every operation of the local transport, and no other", () => {
    const described = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item) as Described[]);
    expect(described.map((each) => each.operationId).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });

  test("explains every tag of an operation, and no other", () => {
    expect(document.tags?.map((tag) => tag.name).toSorted()).toEqual([...new Set(operations.map(tagOf))].toSorted());
    for (const tag of document.tags ?? []) expect(tag.description).toMatch(/^[A-Z].+\.$/);
  });

  test("accepts any text as the id of a resource", () => {
    const sent = operations.flatMap(sentBy).flatMap((schema) => [...visitSchemas([schema])]);
    expect(sent.map(nameOf)).not.toContain("ResourceId");
    for (const { parameters } of operations.map(describedAs)) {
      const ids = parameters.filter(({ name }) => name === "id" || name?.endsWith("_id"));
      for (const { schema } of ids) expect(Object.keys(schema ?? {})).not.toContain("pattern");
    }
  });

  test("has two schemas for the two ways to create a trigger set, so that generators make a model of each", () => {
    const names = ["CountedTriggerSetCreate", "NamedTriggerSetCreate"];
    expect(components["schemas"]!["TriggerSetCreate"]).toEqual({
      anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
    });
    const [counted, named] = names.map((name) => components["schemas"]![name]!);
    expect(counted).toMatchObject({ required: ["name", "target_task_id", "count"], additionalProperties: false });
    expect(named).toMatchObject({ required: ["name", "target_task_id", "member_names"], additionalProperties: false });
  });

  test("describes the form of an If-Match header", () => {
    const pattern = new RegExp(
      String((components["parameters"]!["IfMatch"]!["schema"] as { pattern?: string }).pattern),
    );
    for (const tag of ["*", '"1"', '"12"']) expect(tag).toMatch(pattern);
    for (const tag of ["", "1", '"x"', 'W/"1"', '"1", "2"', '""', '"-1"', "**"]) expect(tag).not.toMatch(pattern);
  });

  test("says what each member of a task or schedule means that a caller writes, so that editors show it", () => {
    const plain = ["id", "name", "description", "enabled", "kind", "key"];
    const written = Object.entries(components["schemas"]!).filter(([name]) =>
      /^(?:Task(?:Create|Patch)|ImportTask|SchedulePatch|\w+Schedule(?:Create|Draft)|Import\w+Schedule|RetryInput)$/.test(
        name,
      ),
    );
    expect(written.length).toBeGreaterThan(12);
    const silent = written.flatMap(([name, { properties }]) =>
      Object.entries(properties as Record<string, { description?: string }>)
        .filter(([member, { description = "" }]) => !plain.includes(member) && /^$|^Between /.test(description))
        .map(([member]) => `${name}.${member}`),
    );
    expect(silent).toEqual([]);
  });

  test("says that an endpoint is a URI", () => {
    for (const name of ["NotificationChannelCreate", "NotificationChannelPatch"]) {
      const { endpoint } = components["schemas"]![name]!["properties"] as Record<string, object>;
      expect(endpoint).toMatchObject({ type: "string", format: "uri" });
    }
  });

  test("explains every keyword that it defines", () => {
    const own = new Set(printDocument(document).match(/(?<=^ *")x-[a-z-]+(?=":)/gm));
    for (const keyword of own) expect(document.info.description).toContain(`\`${keyword}\``);
  });

  test("refers to every component that it defines, and to no undefined one", () => {
    const references = new Set(printDocument(document).match(/(?<=")#\/components\/[^"]+/g));
    const present = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...references].toSorted()).toEqual(present.toSorted());
  });

  test("has no schema that contains itself", () => {
    const within = (name: string, path: readonly string[]): void => {
      expect(path).not.toContain(name);
      const text = JSON.stringify(components["schemas"]?.[name]);
      for (const [inner] of text.matchAll(/(?<="\$ref":"#\/components\/schemas\/)\w+/g)) within(inner, [...path, name]);
    };
    for (const name of Object.keys(components["schemas"] ?? {})) within(name, []);
  });

  test("cannot contain two schemas with the same name", () => {
    const other = z.object({ status: z.literal("fine") }).meta({ id: "Health" });
    const planted = operations.map((each) =>
      each.id === "manifest.get" ? { ...each, response: { kind: "json", status: 200, schema: other } as const } : each,
    );
    expect(() => buildDocument(planted, localApi)).toThrow("two schemas are named Health");
  });

  test("has a valid example for the schema of every answer", () => {
    const answered = operations.filter(({ response }) => response.kind === "json").flatMap(answeredBy);
    for (const schema of answered) {
      const example = components["examples"]?.[schema.meta()?.id ?? ""];
      expect(schema.parse(example?.["value"])).toEqual(example?.["value"]);
    }
  });
});

describe.each(operations.map((operation) => [operation.id, operation] as const))(
  "the document of %s",
  (_, operation) => {
    const described = describedAs(operation);

    test("has its summary, description, tag and required capability", () => {
      expect(described).toMatchObject({
        operationId: operation.id,
        summary: operation.summary,
        description: expect.stringContaining(`Requires \`${operation.capability}\``) as string,
        tags: [tagOf(operation)],
        "x-minimum-capability": operation.capability,
        "x-remote": operation.transports.includes("remote"),
      });
    });

    test("lists every code it may answer with, under the code's status", () => {
      expect(described["x-error-codes"]).toEqual(errorsOf(operation));
      const failures = Object.entries(described.responses).filter(([status]) => Number(status) >= 400);
      const listed = failures.map(([status, { $ref = "" }]) => [status, componentAt($ref)["x-error-codes"]]);
      const declared = Map.groupBy(errorsOf(operation), (code) => errorStatus[code]);
      expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declared));
    });

    test("has every parameter of the operation, in its place", () => {
      const named = described.parameters.filter(({ $ref }) => $ref === undefined);
      const expected = [
        ...Object.keys(operation.params?.shape ?? {}).map((name) => ({ name, in: "path", required: true })),
        ...Object.keys(operation.query?.shape ?? {}).map((name) => ({
          name,
          in: "query",
          required: !operation.query!.shape[name]!.safeParse(undefined).success,
        })),
      ];
      expect(named).toEqual(expected.map((parameter) => expect.objectContaining(parameter) as unknown));
      const headers = described.parameters.flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref.split("/").at(-1)]));
      expect(headers).toEqual([
        ...(operation.conditional === true ? ["IfMatch"] : []),
        ...(operation.replayedBy === undefined ? [] : ["IdempotencyKey"]),
      ]);
    });

    test("answers by reference to a named schema, with an example", () => {
      if (operation.response.kind !== "json") return;
      const media = described.responses[operation.response.status]?.content?.["application/json"];
      const name = operation.response.schema.meta()?.id ?? "";
      expect(media).toEqual({
        schema: { $ref: `#/components/schemas/${name}` },
        examples: { [name]: { $ref: `#/components/examples/${name}` } },
      });
    });
  },
);

describe("in the schemas of the document", () => {
  const roots = [ErrorEnvelope, ...operations.flatMap((operation) => [...sentBy(operation), ...answeredBy(operation)])];
  const objects = visitSchemas(roots).flatMap((schema) => {
    const name = nameOf(schema);
    return schema instanceof z.ZodObject && name !== undefined ? [[name, schema] as const] : [];
  });
  const validatorOf = createDocumentValidator(document);

  test.each(objects)("%s accepts null where the contract does, and nowhere else", (name, schema) => {
    for (const [member, inner] of Object.entries(schema.shape)) {
      const isNullable = z.safeParse(inner, null).success;
      expect(validatorOf(`${name}/properties/${member}`)(null), member).toBe(isNullable);
    }
  });

  test.each(objects)("%s marks secret members as write-only, and no others", (name, schema) => {
    const properties = (components["schemas"]?.[name]?.["properties"] ?? {}) as Record<string, { writeOnly?: true }>;
    const marked = Object.keys(schema.shape).filter((member) => properties[member]?.writeOnly === true);
    const secret = Object.entries(schema.shape).filter(([, inner]) => unwrap(inner as z.ZodType).some(isSecret));
    expect(marked).toEqual(secret.map(([member]) => member));
  });

  test.each(objects)("%s has the contract's defaults", (name, schema) => {
    const properties = (components["schemas"]?.[name]?.["properties"] ?? {}) as Record<string, { default?: unknown }>;
    for (const [member, inner] of Object.entries(schema.shape)) {
      const expected = inner instanceof z.ZodDefault ? inner.def.defaultValue : undefined;
      expect(properties[member]?.default, member).toEqual(expected);
    }
  });

  test("a whole number in a query is an integer with its bounds", () => {
    const { parameters } = describedAs(operations.find(({ id }) => id === "tasks.list")!);
    const limit = parameters.find(({ name }) => name === "limit");
    expect(limit?.schema).toEqual({ type: "integer", minimum: 1, maximum: 1_000 });
  });

  test("a union has a discriminator that maps each kind to its schema", () => {
    expect(components["schemas"]?.["CommandInput"]).toMatchObject({
      oneOf: [{ $ref: "#/components/schemas/ExecCommandInput" }, { $ref: "#/components/schemas/ShellCommandInput" }],
      discriminator: {
        propertyName: "kind",
        mapping: { exec: "#/components/schemas/ExecCommandInput", shell: "#/components/schemas/ShellCommandInput" },
      },
    });
  });
});

describe("a stream in the document", () => {
  test.each([
    [
      "events.subscribe",
      [
        "task",
        "group",
        "hold",
        "schedule",
        "run",
        "trigger",
        "trigger_set",
        "filesystem_watcher",
        "chain",
        "notification_channel",
        "notification_assignment",
        "notification_delivery",
        "manifest",
        "actor",
        "hello",
        "resync",
      ],
    ],
    ["runs.output", ["output", "cut", "end"]],
  ])("of %s has a schema for each event, with its data as JSON", (id, names) => {
    const { responses } = describedAs(operations.find((operation) => operation.id === id)!);
    const events = responses["200"]?.content?.["text/event-stream"]?.schema.oneOf;
    const expected = names.map((name) => ({
      type: "object",
      required: ["event", "data"],
      properties: {
        event: { const: name },
        data: {
          type: "string",
          contentMediaType: "application/json",
          contentSchema: { $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) as string },
        },
      },
    }));
    expect(events).toMatchObject(expected);
  });
});

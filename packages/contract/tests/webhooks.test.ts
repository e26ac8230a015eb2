import { catalogue, RunCompletedPayload, TestPayload, WebhookPayload } from "@belfry/contract";
import { buildDocument, localApi } from "@belfry/contract/openapi";
import { parseWebhook, webhookHeaders } from "@belfry/webhook-schema";
import { createTestDelivery, fixtures } from "@belfry/webhook-schema/testing";
import { describe, expect, test } from "vitest";
import { StrictWebhookPayload } from "./strict-payload.ts";
import { createDocumentValidator } from "./document-validator.ts";
import { publishedSchema, validatorOf } from "./webhook-validator.ts";

interface Webhook {
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
  readonly requestBody: {
    readonly content: Readonly<Record<string, { readonly schema: object; readonly example: unknown }>>;
  };
}

const document = buildDocument(catalogue, localApi);
const components = document.components?.schemas ?? {};
const webhooks = document.webhooks as unknown as Readonly<Record<string, { readonly post: Webhook }>>;
const definitions = publishedSchema["$defs"] as Readonly<Record<string, object>>;
const payloadNames = { "run.completed": "RunCompletedPayload", test: "TestPayload" } as const;

function asComponent(definition: object): unknown {
  return JSON.parse(JSON.stringify(definition).replaceAll("#/$defs/", "#/components/schemas/"));
}

describe("the API document and the published schema describe the same payloads", () => {
  test.each(Object.entries(definitions))("%s, word for word", (name, definition) => {
    expect(components[name]).toEqual(asComponent(definition));
  });

  test("of the same events, and of no others", () => {
    expect(publishedSchema["oneOf"]).toEqual(Object.values(payloadNames).map((name) => ({ $ref: `#/$defs/${name}` })));
    expect(Object.keys(webhooks)).toEqual(Object.keys(payloadNames));
    expect(components["WebhookPayload"]).toMatchObject(asComponent({ oneOf: publishedSchema["oneOf"] }) as object);
  });

  test.each(Object.entries(payloadNames))(
    "the webhook %s has the published schema as its body, and its description names that schema",
    (event, name) => {
      const { description, requestBody } = webhooks[event]!.post;
      expect(requestBody.content["application/json"]!.schema).toEqual({ $ref: `#/components/schemas/${name}` });
      expect(description).toContain("service.webhook.v1");
      expect(description).toContain(publishedSchema["$id"]);
    },
  );
});

test.each(Object.keys(payloadNames))("the example of %s is a valid payload, and receivers accept it", async (event) => {
  const { example } = webhooks[event]!.post.requestBody.content["application/json"]!;
  const payload = StrictWebhookPayload.parse(example);
  expect(payload).toEqual(example);
  expect(validatorOf()(example)).toBe(true);
  const { headers, body } = await createTestDelivery({ payload });
  expect(await parseWebhook(headers, body)).toEqual(example);
});

test.each(Object.keys(payloadNames))("the document lists the headers of %s", (event) => {
  const { parameters } = webhooks[event]!.post;
  const always = ["User-Agent", webhookHeaders.delivery, webhookHeaders.event];
  const signed = [webhookHeaders.id, webhookHeaders.timestamp, webhookHeaders.signature];
  expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(always);
  expect(parameters.filter(({ required }) => !required).map(({ name }) => name)).toEqual(["Authorization", ...signed]);
});

test.each(Object.entries(fixtures))(
  "the fixture %s is valid for the contract and for its document",
  (_name, payload) => {
    expect(WebhookPayload.parse(payload)).toEqual(payload);
    expect((payload.event === "test" ? TestPayload : RunCompletedPayload).safeParse(payload).success).toBe(true);
    expect(createDocumentValidator(document)("WebhookPayload")(payload)).toBe(true);
  },
);

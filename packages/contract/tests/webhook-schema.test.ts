import { createTestDelivery, fixtures } from "@belfry/webhook-schema/testing";
import { parseWebhook } from "@belfry/webhook-schema";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sentTodayNames } from "../../webhook-schema/src/testing/fixtures.ts";
import { buildJsonSchema } from "../src/webhook/json-schema.ts";
import { WebhookPayload } from "../src/webhook/payload.ts";
import { StrictWebhookPayload } from "./strict-payload.ts";
import { publishedSchema, validatorOf } from "./webhook-validator.ts";

const isInDocument = validatorOf();
const folder = new URL("../../webhook-schema/fixtures/", import.meta.url);
const files = readdirSync(folder);

function readFixture(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"));
}

test("the published document is JSON Schema 2020-12 with a name, and equals the generated one", () => {
  expect(publishedSchema).toEqual(buildJsonSchema());
  expect(publishedSchema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:belfry:service.webhook.v1",
  });
});

test("no object of the published document is closed, so that a member may be added within this version", () => {
  const objects = JSON.stringify(publishedSchema).split('"type":"object"').length - 1;
  const open = JSON.stringify(publishedSchema).split('"additionalProperties":{}').length - 1;
  expect([open, objects]).toEqual([objects, 8]);
});

describe("every fixture", () => {
  test("has a file, and every file is a fixture", () => {
    const inFiles = files.map((file) => JSON.stringify(readFixture(file)));
    expect(inFiles.toSorted()).toEqual(
      Object.values(fixtures)
        .map((payload) => JSON.stringify(payload))
        .toSorted(),
    );
    expect(files.length).toBeGreaterThanOrEqual(10);
  });

  test("has its own delivery id", () => {
    expect(new Set(Object.values(fixtures).map(({ delivery }) => delivery.id)).size).toBe(files.length);
  });

  test.each(files)("%s is valid for the document, for zod and for the parser", async (file) => {
    const payload = readFixture(file);
    expect(isInDocument(payload), JSON.stringify(isInDocument.errors)).toBe(true);
    const { data } = WebhookPayload.safeParse(payload);
    expect(data).toEqual(payload);
    const { headers, body } = await createTestDelivery({ payload: data! });
    expect(await parseWebhook(headers, body)).toEqual(payload);
  });

  test("is accepted by the sender's strict schema if and only if the current daemon may send it", () => {
    const allowed = Object.entries(fixtures).filter(([, payload]) => StrictWebhookPayload.safeParse(payload).success);
    expect(allowed.map(([name]) => name)).toEqual(sentTodayNames);
  });
});

describe("the sender's strict schema refuses what the daemon must not send", () => {
  const { success, test: tried } = fixtures;
  const { exit_code: _, ...withoutCode } = success.run;
  const cases: Record<string, unknown> = {
    "a member that is null": { ...success, task: { ...success.task, group_id: null } },
    "a group's id without its name": {
      ...success,
      task: { id: success.task.id, name: "a", group_id: "grp_9sLd2KfTg6HwE4aNxMoU" },
    },
    "a success without an exit code": { ...success, run: withoutCode },
    "a run in the test event": { ...tried, run: success.run },
    "an id of another kind": { ...success, delivery: { ...success.delivery, id: success.run.id } },
    "a member beside those of the contract": { ...success, task: { ...success.task, command: "rm" } },
    "a time without milliseconds": { ...success, run: { ...success.run, ended_at: "2026-11-21T01:18:42Z" } },
    "a name of 201 characters": { ...success, task: { ...success.task, name: "n".repeat(201) } },
    "a name with a control character": { ...success, task: { ...success.task, name: "a\u0000b" } },
    "a name with spaces around it": { ...success, task: { ...success.task, name: " a" } },
    "an unknown outcome": { ...success, run: { ...success.run, outcome: "cancelled" } },
  };

  test.each(Object.entries(cases))("%s", (_name, payload) => {
    expect(StrictWebhookPayload.safeParse(payload).success).toBe(false);
  });
});

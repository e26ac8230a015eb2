import { expect, test } from "vitest";
import { anonymous } from "../../src/gateway.ts";
import { everything } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { expectCommonHeaders, expectRefusal, sampleOf, localOperations } from "../support/call.ts";

const operations = localOperations;

test("a remote caller without a credential reads what is public, and nothing is recorded", async () => {
  await using app = await openTestApplication();
  const before = everything(app);
  for (const path of ["/api/v1/health", "/api/v1/manifest"]) {
    const answer = await app.call("GET", path);
    expect(answer.status, answer.text).toBe(200);
    expectCommonHeaders(answer);
  }
  expect(everything(app)).toEqual(before);
});

test("a refused call of a public operation is explained, and leaves no row", async () => {
  await using app = await openTestApplication();
  const before = everything(app);
  expectRefusal(await app.call("GET", "/api/v1/health?surprise=1"), "validation_failed", "surprise");
  expect(everything(app)).toEqual(before);
});

test("the gateway refuses an anonymous caller of any other operation, even if a transport lets it in", async () => {
  await using app = await openTestApplication({ canRun: true });
  for (const operation of operations.filter(
    ({ isPublic, transports }) => isPublic !== true && transports.includes("local"),
  )) {
    const sample = await sampleOf(app, operation);
    const before = everything(app);
    app.identifyAs(anonymous);
    const answer = await app.call(operation.method.toUpperCase(), sample.path, sample.body);
    app.identifyAs(null);
    expectRefusal(answer, "unauthorized", null);
    expect(everything(app), operation.id).toEqual(before);
  }
});

import { type ErrorCode, errorStatus } from "@belfry/contract";
import { describe, expect, test } from "vitest";
import { type Harness, startDaemon } from "../../server/tests/support/harness.ts";
import { type Client, createClient, isApiError } from "../src/index.ts";
import { connectLocal, localTransport } from "../src/local.ts";

describe("the daemon's errors have their classes", () => {
  const huge = "x".repeat(2_000_000);
  const provoke: Partial<Readonly<Record<ErrorCode, (client: Client, daemon: Harness) => PromiseLike<unknown>>>> = {
    validation_failed: (client) => client.tasks.create({ name: " " }),
    origin_rejected: (client) => client.health.get({ headers: { origin: "https://example.org" } }),
    not_found: (client) => client.tasks.get("tsk_00000000000000000000"),
    method_not_allowed: (_, daemon) => overPut(daemon).health.get(),
    conflict: (client) => client.manifest.reset("ins_00000000000000000000"),
    precondition_failed: (client) => client.manifest.update({ display_name: "A" }, { ifMatch: 99 }),
    payload_too_large: (client) => client.tasks.create({ name: "A", description: huge }),
    unsupported_media_type: (client) =>
      client.tasks.create({ name: "A" }, { headers: { "content-type": "text/plain" } }),
    trigger_unknown: (client) => client.triggers.fire(`bfk_${"0".repeat(8)}_${"0".repeat(32)}`),
    headers_too_large: (client) => client.health.get({ headers: { "x-long": "x".repeat(100_000) } }),
  };

  test.each(Object.keys(provoke) as ErrorCode[])("%s", async (code) => {
    await using daemon = await startDaemon();
    const error: unknown = await provoke[code]!(connectLocal({ socketPath: daemon.socketPath }), daemon).then(
      null,
      (reason: unknown) => reason,
    );
    if (!isApiError(error, code)) throw new Error("unexpected error", { cause: error });
    expect(error.status).toBe(errorStatus[code]);
    expect(error.requestId).toMatch(/^req_/);
  });
});

test("the request id finds a call in the audit trail, accepted or rejected", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const { requestId } = await client.tasks.create({ name: "A" }).withResponse();
  const error: unknown = await client.tasks.create({ name: " " }).then(null, (reason: unknown) => reason);
  if (!isApiError(error)) throw new Error("unexpected error", { cause: error });
  expect((await client.audit.list()).audit_events).toMatchObject([
    { request_id: error.requestId, result: "failed", error_code: "validation_failed" },
    { request_id: requestId, result: "allowed" },
  ]);
});

/** A client whose requests have a method that no path supports. */
function overPut(daemon: Harness): Client {
  const { baseUrl, fetch } = localTransport(daemon.socketPath);
  return createClient({ transport: { baseUrl, fetch: ({ url }) => fetch(new Request(url, { method: "PUT" })) } });
}

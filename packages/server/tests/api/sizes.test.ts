import { limits, type Operation } from "@belfry/contract";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Harness, startDaemon } from "../support/harness.ts";
import { expectAuditedRefusal, sampleOf, localOperations } from "../support/call.ts";

let daemon: Harness;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

const writing = localOperations.filter((operation) => operation.method !== "get");
const cases = writing.map((operation) => ({ id: operation.id, operation }));

/** A valid body, padded with spaces. */
function padded(body: unknown, bytes: number): string {
  if (body === undefined) return " ".repeat(bytes);
  const text = JSON.stringify(body);
  return text.slice(0, -1) + " ".repeat(bytes - Buffer.byteLength(text)) + "}";
}

describe("a body of the maximum size is accepted, and one byte more is 413, with or without a Content-Length", () => {
  test.each(cases)("$id", async ({ operation }) => {
    const maxBytes = operation.bodyBytesMax ?? limits.bodyBytesMax;
    const sample = await sampleOf(daemon, operation);
    const tooLong = padded(sample.body, maxBytes + 1);
    const answer = await daemon.call(operation.method.toUpperCase(), sample.path, tooLong, {
      "content-length": String(maxBytes + 1),
    });
    expectAuditedRefusal(daemon, operation, { answer, code: "payload_too_large", field: null });
    const chunked = await sendChunked(operation, sample.path, tooLong);
    expectAuditedRefusal(daemon, operation, { answer: chunked, code: "payload_too_large", field: null });
    const fitting = await sendChunked(operation, sample.path, padded(sample.body, maxBytes));
    expect(fitting.status, fitting.text).toBeLessThan(300);
  });
});

/** Without a Content-Length the daemon learns the size only while reading. */
function sendChunked(operation: Operation, path: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const outgoing = request({ socketPath: daemon.socketPath, method: operation.method, path, headers }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part)).on("error", reject);
      incoming.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          json: incoming.headers["content-type"] === "application/json" ? JSON.parse(text) : {},
        });
      });
    });
    outgoing.on("error", reject);
    for (let at = 0; at < body.length; at += 65_536) outgoing.write(body.slice(at, at + 65_536));
    outgoing.end();
  });
}

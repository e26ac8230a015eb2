import { catalogue, type CatalogueOperation, type ErrorCode, errorStatus, type Operation } from "@belfry/contract";
import { request } from "node:http";
import { expect } from "vitest";
import { type Answer, answerOf, type Harness, type Json } from "./harness.ts";
import { type Api, auditRowsOf } from "./api.ts";
import type { Sample } from "./sample-makers.ts";
import { samples } from "./samples.ts";

/** Returns an operation as its general type, for tests that read descriptors. */
export function seen(operation: CatalogueOperation): Operation {
  return operation;
}

/** The operations of the local transport. */
export const localOperations: readonly Operation[] = catalogue
  .map(seen)
  .filter(({ transports }) => transports.includes("local"));

export async function sampleOf(daemon: Api, operation: Operation): Promise<Sample> {
  const make = samples[operation.id as keyof typeof samples];
  expect(make, `${operation.id} has no sample in samples.ts`).toBeDefined();
  return make(daemon);
}

export function send(daemon: Harness, operation: Operation, sample: Sample): Promise<Answer> {
  const method = operation.method.toUpperCase();
  if (operation.response.kind === "events") return firstBytes(daemon.socketPath, sample);
  return daemon.call(method, sample.path, sample.body, { ...sample.headers });
}

/** The lines of an answer of kind `ndjson`. */
export function linesOf({ text }: Pick<Answer, "text">): Json[] {
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** Reads the head and the first piece of a stream, then closes it, because a stream never ends. */
function firstBytes(socketPath: string, sample: Sample): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path: sample.path, headers: { ...sample.headers } }, (incoming) => {
      incoming.once("data", (piece: Buffer) => {
        outgoing.destroy();
        resolve(answerOf(incoming, piece.toString("utf8")));
      });
    });
    outgoing.on("error", reject).end();
  });
}

/** Expects the headers that every answer has. */
export function expectCommonHeaders(answer: Pick<Answer, "headers">): void {
  expect(answer.headers["x-request-id"]).toMatch(/^req_[0-9A-Za-z]{20}$/);
  expect(answer.headers["x-service-version"]).toMatch(/^1\.4\.0/);
  expect(answer.headers["cache-control"]).toBe("no-store");
}

/** Expects the one shape of a refusal, without other members. */
export function expectRefusal(answer: Answer, code: ErrorCode, field?: string | null): void {
  expect(answer.json, answer.text).toEqual({
    error: {
      code,
      field: field === undefined ? (answer.json.error?.field ?? null) : field,
      message: expect.any(String),
    },
  });
  expect(answer.json.error.message.length).toBeGreaterThan(8);
  expect(answer.status).toBe(errorStatus[code]);
  expect(answer.headers["content-type"]).toBe("application/json");
  expectCommonHeaders(answer);
}

/** Expects exactly one audit row after a call of an audited operation, and none after any other call. */
export function expectAudited(daemon: Harness, operation: Operation, answer: Answer): void {
  const rows = auditRowsOf(daemon, answer);
  const code = answer.status < 300 ? null : (answer.json.error.code as string);
  const row = {
    operation: operation.id,
    resource_type: operation.resource,
    result: code === null ? "allowed" : "failed",
    error_code: code,
  };
  expect(rows).toMatchObject(operation.audited ? [row] : []);
}

/** Expects this refusal and its audit row. */
export function expectAuditedRefusal(
  daemon: Harness,
  operation: Operation,
  of: { readonly answer: Answer; readonly code: ErrorCode; readonly field?: string | null },
): void {
  expectRefusal(of.answer, of.code, of.field);
  expectAudited(daemon, operation, of.answer);
}

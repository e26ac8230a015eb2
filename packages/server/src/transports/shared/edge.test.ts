import { errorStatus } from "@belfry/contract";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { refusalBeforeRouting, refusalOfFailure, refusalOfParser, refusalOfTarget } from "./edge.ts";

function incoming(headers: Readonly<Record<string, string>>): IncomingMessage {
  return { headers, rawHeaders: Object.entries(headers).flat() } as unknown as IncomingMessage;
}

test.each([
  ["HPE_HEADER_OVERFLOW", "headers_too_large", "Request Header Fields Too Large"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "request_timeout", "Request Timeout"],
  ["CONNECT", "method_not_allowed", "Method Not Allowed"],
  ["HPE_INVALID_METHOD", "validation_failed", "Bad Request"],
  ["", "validation_failed", "Bad Request"],
] as const)("the parser's error %s is answered as %s", (parserCode, code, phrase) => {
  const refusal = refusalOfParser(parserCode, "1.4.0");
  expect(JSON.parse(refusal.body)).toEqual({ error: { code, field: null, message: expect.any(String) } });
  expect([refusal.status, refusal.phrase]).toEqual([errorStatus[code], phrase]);
  expect(refusal.headers).toEqual({
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(refusal.body)),
    "X-Request-Id": expect.stringMatching(/^req_/),
    "X-Service-Version": "1.4.0",
    "Cache-Control": "no-store",
  });
});

test("an invalid request target is a 400, and an unexpected failure is a 500 with its request id", () => {
  expect(refusalOfTarget("1").status).toBe(400);
  const failure = refusalOfFailure("1", "req_1");
  expect([failure.status, failure.headers["X-Request-Id"]]).toEqual([500, "req_1"]);
  expect(failure.body).toContain("req_1");
});

test("a request from a program is accepted, and a request with a header that only browsers send is refused", () => {
  const refusal = (headers: Readonly<Record<string, string>>) =>
    refusalBeforeRouting(incoming({ host: "x", ...headers }), "1");
  for (const headers of [
    {},
    { "sec-fetch-mode": "cors" },
    { "sec-fetch-site": "none" },
    { expect: "100-continue" },
    { expect: "100-Continue" },
  ]) {
    expect(refusal(headers)).toBeNull();
  }
  for (const headers of [
    { origin: "" },
    { origin: "null" },
    { referer: "" },
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "" },
  ]) {
    expect(refusal(headers)?.body, JSON.stringify(headers)).toContain("origin_rejected");
  }
});
